import type { Topic } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import {
  eventOf,
  eventually,
  kafkaClient,
  operator,
  removeTopics,
  sampleAppointment,
  sampleCustomer,
  signedRequests,
  uniqueTenantId,
} from '../../support/index.ts';
import { startCalls } from '../calls/calls-world.ts';
import { startCrm } from '../crm/crm-world.ts';
import { startScheduling } from '../scheduling/scheduling-world.ts';
import { startWebhooks } from '../webhooks/webhooks-world.ts';

/** A service as this test sees it: where it reads, what it has stored, and its internal API. */
interface World {
  database: { system: Awaited<ReturnType<typeof startCrm>>['database']['system'] };
  prefix: string;
  request(
    method: 'GET' | 'POST',
    url: string,
  ): Promise<{ status: number; body: { data: unknown; message?: string } }>;
  newTenant(): number;
  stop(): Promise<void>;
}

const whole =
  (start: typeof startCrm | typeof startScheduling | typeof startCalls, name: string) =>
  async (): Promise<World> => {
    const world = await start({ isWhole: true });
    return {
      ...world,
      prefix: world.config.KAFKA_PREFIX,
      request: (method, url) => signedRequests(name).send(world.service.internal, operator, { method, url }),
    };
  };

async function webhooks(): Promise<World> {
  const world = await startWebhooks();
  return {
    ...world,
    prefix: world.kafkaPrefix,
    request: (method, path) => world.request({ method, path }),
    newTenant: uniqueTenantId,
  };
}

const tenantEvent = (tenant: number, fields: object = {}) => ({
  ...eventOf('customer.updated', tenant, sampleCustomer({ id: tenant })),
  type: 'tenant.updated',
  data: {
    id: tenant,
    name: 'Salon',
    plan: 'pro',
    status: 'active',
    timezone: 'Europe/Berlin',
    country: 'DE',
    currency: 'EUR',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    ...fields,
  },
});
const visitEvent = (tenant: number, fields: object = {}) =>
  eventOf('appointment.created', tenant, sampleAppointment({ id: 1, ...fields }));
const customerEvent = (tenant: number, fields: object = {}) => ({
  ...eventOf('customer.created', tenant, sampleCustomer({ id: 1, phone: '+4930231251' })),
  ...fields,
});

interface Consumer {
  group: string;
  start: () => Promise<World>;
  topic: Topic;
  /** Where what is taken in can be seen. */
  table: string;
  good: (tenant: number) => object;
  /** Whatever the schema lets through and the database, or sense, does not; and why it is set aside. */
  refused: [what: string, event: (tenant: number) => object, reason: string][];
}

const CONSUMERS: Consumer[] = [
  {
    group: 'crm.tenants',
    start: whole(startCrm, 'crm'),
    topic: 'tenants',
    table: 'tenants',
    good: tenantEvent,
    refused: [
      ['NUL in a name', (tenant) => tenantEvent(tenant, { name: 'Sa\0lon' }), 'SQLSTATE 22021'],
      ['NUL in a time zone', (tenant) => tenantEvent(tenant, { timezone: '\0' }), 'SQLSTATE 22021'],
    ],
  },
  {
    group: 'crm.appointments',
    start: whole(startCrm, 'crm'),
    topic: 'appointments',
    table: 'visits',
    good: visitEvent,
    refused: [
      ['no date', (tenant) => visitEvent(tenant, { appointment_date: 'soon' }), 'SQLSTATE 22007'],
      ['NUL in a date', (tenant) => visitEvent(tenant, { appointment_date: '\0' }), 'SQLSTATE 22021'],
      [
        'a date too far',
        (tenant) => visitEvent(tenant, { appointment_date: '9999999-01-01' }),
        'SQLSTATE 22008',
      ],
      ['a price too high', (tenant) => visitEvent(tenant, { price: 1e300 }), 'its price is no amount'],
      ['a price too fine', (tenant) => visitEvent(tenant, { price: 1.234 }), 'its price is no amount'],
      ['no currency', (tenant) => visitEvent(tenant, { currency: 'E\0R' }), 'its price is no amount'],
    ],
  },
  {
    group: 'scheduling.customers',
    start: whole(startScheduling, 'scheduling'),
    topic: 'customers',
    table: 'customers',
    good: customerEvent,
    refused: [
      [
        'a version out of range',
        (tenant) => customerEvent(tenant, { aggregate_version: 3_000_000_000 }),
        'number out of range (SQLSTATE 22003)',
      ],
    ],
  },
  {
    group: 'calls.customers',
    start: whole(startCalls, 'calls'),
    topic: 'customers',
    table: 'customer_numbers',
    good: customerEvent,
    refused: [
      ['an unknown tenant', (tenant) => customerEvent(tenant + 1), 'its tenant is unknown'],
      ['a tenant that can’t be', (tenant) => customerEvent(-tenant), 'its tenant is unknown'],
    ],
  },
  {
    group: 'webhooks',
    start: webhooks,
    topic: 'customers',
    table: 'events',
    good: customerEvent,
    refused: [
      [
        'a year that is none',
        (tenant) => customerEvent(tenant, { occurred_at: '0000-01-01T00:00:00Z' }),
        'SQLSTATE 22008',
      ],
      [
        'an offset out of range',
        (tenant) => customerEvent(tenant, { occurred_at: '2026-01-01T00:00:00+23:59' }),
        'SQLSTATE 22009',
      ],
    ],
  },
];

describe.each(CONSUMERS)('what the consumer $group can never take in', (consumer) => {
  let world: World;
  beforeAll(async () => {
    world = await consumer.start();
  });
  afterAll(async () => {
    await world.stop();
    await removeTopics(world.prefix);
  });

  /** All in one partition, and so one behind the other. */
  const send = async (events: object[]) => {
    const kafka = kafkaClient(world.prefix);
    const producer = kafka.producer();
    const messages = events.map((event) => ({ key: '1:1', value: JSON.stringify(event) }));
    try {
      await producer.connect();
      await producer.send({ topic: kafka.nameOf(consumer.topic), messages });
    } finally {
      await producer.disconnect();
    }
  };
  const isTakenIn = async (tenant: number) =>
    (
      await world.database.system.one(
        systemSql<{ found: boolean }, { tenantId: number }>(
          `test_found_${consumer.table}`,
          `select exists (select from ${consumer.table} where tenant_id = $tenantId) as found`,
        ),
        { tenantId: tenant },
      )
    ).found;
  const deadLetters = async () =>
    (await world.request('GET', '/internal/stuck-events?per_page=100')).body.data as {
      id: string;
      consumer: string;
      reason: string;
    }[];

  it('is set aside, each message alone, and holds up nothing around it', async () => {
    const first = world.newTenant();
    const last = world.newTenant();
    const events = consumer.refused.map(([, event]) => event(world.newTenant()));
    await eventually(() => send([consumer.good(first), ...events, consumer.good(last)]));
    await eventually(async () => expect(await isTakenIn(last)).toBe(true));
    expect(await isTakenIn(first)).toBe(true);

    const found = await deadLetters();
    expect(found.map(({ consumer: group, reason }) => [group, reason])).toEqual(
      consumer.refused.map(([, , reason]) => [consumer.group, expect.stringContaining(reason)]),
    );
    for (const [index, { id, reason }] of found.entries()) {
      const url = `/internal/stuck-events/${id}`;
      const { body } = await world.request('GET', url);
      expect(JSON.parse((body.data as { body: string }).body)).toEqual(events[index]);
      await eventually(async () => {
        const again = await world.request('POST', `${url}/retry`);
        expect([again.status, again.body.message]).toEqual([
          400,
          `The message still can't be applied: ${reason}`,
        ]);
      });
    }
  });
});
