import { EVENT_TYPES, IDENTITY_HEADER, type Tenant } from '@frontdesk/contracts';
import { createConsumer, createPublisher } from '@frontdesk/events';
import { createMetrics } from '@frontdesk/service';
import {
  eventOf,
  eventually,
  kafkaClient,
  logger,
  sampleCustomer,
  uniqueTenantId,
} from '../../support/index.ts';
import { openSalon } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling({ isWhole: true });
});

afterAll(() => world.stop());

const kafka = () => kafkaClient(world.config.KAFKA_PREFIX);

describe('a running scheduling', () => {
  it('learns of tenants and customers from their events, whom nobody else knows of', async () => {
    const tenantId = uniqueTenantId();
    const at = '2026-01-01T00:00:00Z';
    const tenant: Tenant = {
      ...{ id: tenantId, name: 'New', plan: 'pro', status: 'active', created_at: at, updated_at: at },
      ...{ timezone: 'Asia/Tokyo', country: 'JP', currency: 'USD' },
    };
    const publisher = createPublisher({ kafka: kafka(), logger, metrics: createMetrics() });
    await publisher.start?.();
    const told = [
      eventOf('tenant.created', tenantId, tenant),
      eventOf('customer.created', tenantId, sampleCustomer({ id: 5 })),
    ];
    await eventually(() =>
      publisher.publish(
        told.map((event) => ({
          topic: EVENT_TYPES[event.type].topic,
          key: `${tenantId}:${event.aggregate_id}`,
          value: JSON.stringify(event),
        })),
      ),
    );
    await eventually(async () => {
      expect((await world.importBusiness(tenantId, {})).status).toBe(200);
    });
    const salon = await openSalon(world, tenantId);
    await eventually(async () => {
      expect((await salon.book({ customer_id: 5 })).status).toBe(201);
    });
    const [booked] = (await world.api(tenantId, 'GET', '/appointments')).body.data;
    expect(booked).toMatchObject({ timezone: 'Asia/Tokyo', currency: 'USD', customer_id: 5 });
    await publisher.stop?.();
  });

  it('tells of every change, in the order of the record’s versions', async () => {
    const received: [string, number][] = [];
    const salon = await openSalon(world);
    const consumer = createConsumer({
      kafka: kafka(),
      group: 'test.appointments',
      topics: ['appointments'],
      apply: async (events) => {
        for (const { type, tenant_id, aggregate_version } of events)
          if (tenant_id === salon.tenantId) received.push([type, aggregate_version]);
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
      expect(received).toEqual([
        ['appointment.created', 1],
        ['appointment.updated', 2],
        ['appointment.cancelled', 3],
        ['appointment.updated', 4],
      ]),
    );
    await consumer.stop();
  });

  it('is ready once its parts are', async () => {
    const request = { method: 'GET', url: '/health/ready', headers: { [IDENTITY_HEADER]: '' } } as const;
    const anyone = { issuer: 'operator', role: 'operator' } as const;
    await eventually(async () => {
      const { status, body } = await world.send('internal', anyone, request);
      expect([status, body]).toEqual([200, { status: 'ready' }]);
    });
  });
});
