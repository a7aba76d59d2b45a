import { systemSql } from '@frontdesk/database';
import { createPublisher } from '@frontdesk/events';
import { Client } from 'pg';
import {
  eventOf,
  eventually,
  kafkaClient,
  logger,
  recordOf,
  removeTopics,
  sampleCustomer,
} from '../../../support/index.ts';
import { type CallsWorld, type Source, startCalls } from '../calls-world.ts';
import { genericCall } from '../sample-calls.ts';
import { genericMessage } from '../signed-messages.ts';

/** The customer who is gone, and the one who has all of theirs. */
export const [LOST, KEPT] = [71, 72];
export const [NUMBER, KEPT_NUMBER] = ['+493023125001', '+493023125002'];

const numbersOf = systemSql<{ e164: string; customer_id: number }, { tenantId: number }>(
  'test_numbers',
  'select e164, customer_id from customer_numbers where tenant_id = $tenantId order by e164',
);
const mergesOf = systemSql<{ id: number; merged_into: number; is_looked_for: boolean }, { tenantId: number }>(
  'test_merges',
  `select id, merged_into, rewrite_due_at > now() as is_looked_for from merged_customers where tenant_id = $tenantId order by id`,
);
const makeDue = systemSql<never>(
  'test_make_rewrites_due',
  'update merged_customers set rewrite_due_at = now() where rewrite_due_at is not null',
);

/** A calls service with all that runs by itself, and crm's events; and of each test a tenant with a call source. */
export let calls: CallsWorld;
export let client: Client;
export let tenant: number;
export let source: Source;
let publisher: ReturnType<typeof createPublisher>;

export async function newTenant(): Promise<void> {
  tenant = calls.newTenant();
  source = await calls.newSource(tenant);
}

/** Starts these for the tests of a file, and stops them. */
export function startForEachMerge(): void {
  beforeAll(async () => {
    calls = await startCalls({ isWhole: true });
    publisher = createPublisher({ kafka: kafkaClient(calls.config.KAFKA_PREFIX), logger });
    await publisher.start();
    await eventually(async () => {
      const { statusCode } = await calls.service.internal.inject({ method: 'GET', url: '/health/ready' });
      expect(statusCode).toBe(200);
    });
    client = new Client({ connectionString: calls.config.DATABASE_URL });
    await client.connect();
  });
  beforeEach(async () => {
    calls.crm.set('up');
    await newTenant();
  });
  afterAll(async () => {
    await client.end();
    await publisher.stop();
    await calls.stop();
    await removeTopics(calls.config.KAFKA_PREFIX);
  });
}

export const customer = (id: number, phone: string, version = 1, of = tenant) =>
  recordOf(eventOf('customer.updated', of, sampleCustomer({ id, phone }), version));
export const merged = (id: number, phone: string, merged_into = KEPT, of = tenant, version = 9) => {
  const data = { id, merged_into, phone, merged_at: '2026-03-02T09:00:00Z' };
  return recordOf(eventOf('customer.merged', of, data, version));
};
export const publish = (...records: ReturnType<typeof recordOf>[]) => publisher.publish(records);

/** A call that is taken in and linked. @returns its id */
export async function called(fields: object = {}, from = source): Promise<number> {
  const call = genericCall({ ...fields });
  expect((await calls.ingest(from, genericMessage(call, from))).status).toBe(202);
  await calls.settled(from.tenantId);
  const { data } = await calls.list(from.tenantId, { per_page: '100', sort: '-updated_at' });
  return Math.max(...data.map(({ id }: { id: number }) => id));
}

export const shown = async (id: number, of = tenant) => {
  const { body, headers } = await calls.api(of, 'GET', `/api/v1/calls/${id}`);
  return { ...body.data, etag: headers.etag };
};
export const customerOf = async (id: number) => (await shown(id)).customer_id;
export const belongs = (id: number, to: number) =>
  eventually(async () => expect(await customerOf(id)).toBe(to));
export const numbers = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await calls.database.system.many(numbersOf, { tenantId: tenant })).map((row) => [
      row.e164,
      row.customer_id,
    ]),
  );
export const learned = (expected: Record<string, number>) =>
  eventually(async () => expect(await numbers()).toEqual(expected));
export const merges = () => calls.database.system.many(mergesOf, { tenantId: tenant });
export const asked = () => calls.crm.asked.filter(({ tenantId }) => tenantId === tenant);
/** Ends the time until calls of merged customers are looked for again, as it would pass. */
export const makeRewritesDue = () => calls.database.system.run(makeDue);
