import { type DomainEvent, EVENT_TYPES, IDENTITY_HEADER, type Slot, type Tenant } from '@frontdesk/contracts';
import { createConsumer, createPublisher } from '@frontdesk/events';
import { createMetrics } from '@frontdesk/service';
import {
  collectDeadLetters,
  eventOf,
  eventually,
  kafkaClient,
  logger,
  progressBox,
  sampleCustomer,
  uniqueTenantId,
} from '../../support/index.ts';
import { MONDAY, openSalon } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling({ isWhole: true });
});

afterAll(() => world.stop());

const kafka = () => kafkaClient(world.config.KAFKA_PREFIX);

function tenantIn(timezone: string, id: number): Tenant {
  const at = '2026-01-01T00:00:00Z';
  return {
    id,
    name: 'New',
    plan: 'pro',
    status: 'active',
    created_at: at,
    updated_at: at,
    timezone,
    country: 'JP',
    currency: 'USD',
  };
}

/** Publishes what the gateway and crm would. */
async function tell(events: DomainEvent[]): Promise<void> {
  const publisher = createPublisher({ kafka: kafka(), logger, metrics: createMetrics() });
  await publisher.start?.();
  await eventually(() =>
    publisher.publish(
      events.map((event) => ({
        topic: EVENT_TYPES[event.type].topic,
        key: `${event.tenant_id}:${event.aggregate_id}`,
        value: JSON.stringify(event),
      })),
    ),
  );
  await publisher.stop?.();
}

describe('a running scheduling', () => {
  it('learns of tenants and customers from their events, whom nobody else knows of', async () => {
    const tenantId = uniqueTenantId();
    const tenant = tenantIn('Asia/Tokyo', tenantId);
    await tell([
      eventOf('tenant.created', tenantId, tenant),
      eventOf('customer.created', tenantId, sampleCustomer({ id: 5 })),
    ]);
    await eventually(async () => {
      expect((await world.importBusiness(tenantId, {})).status).toBe(200);
    });
    const salon = await openSalon(world, tenantId);
    await eventually(async () => {
      expect((await salon.book({ customer_id: 5 })).status).toBe(201);
    });
    const [booked] = (await world.api(tenantId, 'GET', '/appointments')).body.data;
    expect(booked).toMatchObject({ timezone: 'Asia/Tokyo', currency: 'USD', customer_id: 5 });
  });

  it('keeps the instants of what is booked when the business changes its time zone', async () => {
    const tenantId = uniqueTenantId();
    const tenant = tenantIn('Europe/Berlin', tenantId);
    await tell([
      eventOf('tenant.created', tenantId, tenant),
      eventOf('customer.created', tenantId, sampleCustomer({ id: 5 })),
    ]);
    await eventually(async () => {
      expect((await world.importBusiness(tenantId, {})).status).toBe(200);
    });
    const salon = await openSalon(world, tenantId);
    const booked = await eventually(async () => {
      const { status, body } = await salon.book({ customer_id: 5, staff_id: salon.anna });
      expect(status).toBe(201);
      return body.data;
    });
    await tell([
      { ...eventOf('tenant.updated', tenantId, tenantIn('Europe/Lisbon', tenantId)), aggregate_version: 2 },
    ]);

    const slotsOf = async () => {
      const { body } = await salon.slots({ staff_id: salon.anna });
      return body.data as Slot[];
    };
    // The hours keep their clock times, so they now lie an hour later; the appointment stays where it is.
    const slots = await eventually(async () => {
      const found = await slotsOf();
      expect(found.at(-1)?.starts_at).toBe(`${MONDAY}T16:00:00+01:00`);
      return found;
    });
    expect(slots[0]?.starts_at).toBe(`${MONDAY}T10:00:00+01:00`);
    const shown = (await world.api(tenantId, 'GET', `/appointments/${booked.id}`)).body.data;
    expect(shown).toEqual(booked);

    const { upcoming_appointments } = (await world.api(tenantId, 'GET', `/staff/${salon.anna}`)).body.data;
    expect(upcoming_appointments).toEqual([{ date: MONDAY, time: '09:00' }]);

    // On the business's clocks it is nine now: saying so moves nothing, another staff member takes over that instant.
    expect((await salon.change(booked.id, { appointment_time: '09:00' })).body.data).toEqual(booked);
    const handedOver = (await salon.change(booked.id, { staff_id: salon.ben })).body.data;
    expect(handedOver).toMatchObject({
      timezone: 'Europe/Lisbon',
      appointment_time: '09:00',
      staff_id: salon.ben,
    });
    expect(Date.parse(handedOver.starts_at)).toBe(Date.parse(booked.starts_at));
  });

  it('emits every change, in the order of the record’s versions', async () => {
    /** By version, in the order in which they came; an event may come more than once. */
    const received = new Map<number, string>();
    const salon = await openSalon(world);
    const consumer = createConsumer({
      kafka: kafka(),
      group: 'test.appointments',
      topics: ['appointments'],
      deadLetters: collectDeadLetters(),
      progress: progressBox(),
      apply: async (events) => {
        for (const { type, tenant_id, aggregate_version } of events)
          if (tenant_id === salon.tenantId) received.set(aggregate_version, type);
      },
      logger,
      metrics: createMetrics(),
    });
    await consumer.start();
    const { id } = (await salon.book()).body.data;
    await salon.change(id, { notes: 'later' });
    await salon.cancel(id);
    await salon.setStatus(id, 'scheduled');
    await eventually(() =>
      expect([...received]).toEqual([
        [1, 'appointment.created'],
        [2, 'appointment.updated'],
        [3, 'appointment.cancelled'],
        [4, 'appointment.updated'],
      ]),
    );
    await consumer.stop();
  });

  it('is ready once its components are', async () => {
    const request = { method: 'GET', url: '/health/ready', headers: { [IDENTITY_HEADER]: '' } } as const;
    const anyone = { issuer: 'operator', role: 'operator' } as const;
    await eventually(async () => {
      const { status, body } = await world.send('internal', anyone, request);
      expect([status, body]).toEqual([200, { status: 'ready' }]);
    });
  });
});
