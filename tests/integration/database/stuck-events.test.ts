import { createDeadLetters, systemSql } from '@frontdesk/database';
import {
  type App,
  AppError,
  createApp,
  createIdentityVerifier,
  createMetrics,
  type DeadLetters,
  requireIdentity,
} from '@frontdesk/service';
import { stuckEventRoutes } from '@frontdesk/wiring';
import { identityKeys, operator, signedRequests } from '../../support/index.ts';
import { logger, openDatabase } from './database-world.ts';

/** One of those that have the routes. */
const AUDIENCE = 'crm';
const DEAD_LETTERS = 130;

const park = systemSql<never, { tenantId: number }>(
  'test_park',
  `insert into outbox (tenant_id, event_id, topic, aggregate_id, envelope, parked_at, parked_reason)
   values ($tenantId, gen_random_uuid(), 'tenants', 1, '{"type": "tenant.updated"}', '2026-01-01T00:00:00Z', 'too large')`,
);
const publish = systemSql<never>(
  'test_publish',
  `insert into outbox (tenant_id, event_id, topic, aggregate_id, envelope) values (1, gen_random_uuid(), 'tenants', 1, '{}')`,
);

const changed = systemSql<{ tenant_id: number; subject: string }>(
  'test_changed',
  'select tenant_id, subject from operator_changes order by id',
);
/** Tenant 8 has an event parked just after all that is parked was counted. */
const parkWhileBeginning = [
  systemSql<never>(
    'test_park_while_beginning',
    `create function park_another() returns trigger language plpgsql as $$ begin
       insert into outbox (tenant_id, event_id, topic, aggregate_id, envelope, parked_at)
       values (8, gen_random_uuid(), 'tenants', 1, '{"type": "tenant.updated"}', now());
       return null; end $$`,
  ),
  systemSql<never>(
    'test_park_while_beginning_trigger',
    'create trigger park_another after insert on operator_changes for each statement execute function park_another()',
  ),
];
const parkNoMore = systemSql<never>('test_park_no_more', 'drop function park_another cascade');

let world: Awaited<ReturnType<typeof openDatabase>>;
let app: App;
let letters: DeadLetters;
const taken: string[] = [];

beforeEach(async () => {
  world = await openDatabase();
  letters = createDeadLetters({ database: world.database, metrics: createMetrics() });
  taken.length = 0;
  const applyDeadLetter = async (value: Buffer | null) => {
    const text = String(value);
    if (text === 'broken') return 'no event';
    if (text === 'unlucky') throw new AppError('service_unavailable', 'Away.');
    taken.push(text);
    return null;
  };
  app = createApp({ logger, metrics: createMetrics() });
  const { publicKeysFile } = identityKeys();
  const verifier = await createIdentityVerifier({ audience: AUDIENCE, publicKeysFile });
  requireIdentity(app, { verifier, roles: ['operator'] });
  stuckEventRoutes(app, { database: world.database, consumers: [{ group: 'readers', applyDeadLetter }] });
});
afterEach(async () => {
  await app.close();
  await world.close();
});

const setAside = (offset: number, value: string, timestamp = '1790000000000') =>
  letters.setAside({
    group: 'readers',
    topic: 'tenants',
    partition: 0,
    offset: String(offset),
    timestamp,
    key: null,
    value: Buffer.from(value),
    tenantId: null,
    type: null,
    reason: 'no event',
  });
const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string) =>
  (await signedRequests(AUDIENCE).send(app, operator, { method, url: `/internal/stuck-events${path}` })).body;

interface Portion {
  retried: number;
  still_stuck: number;
  next_after: number | null;
}

/** What a portion and all that come after it make together. */
async function withTheRest({ next_after, ...own }: Portion): Promise<Omit<Portion, 'next_after'>> {
  if (next_after === null) return own;
  const rest = await withTheRest((await ask('POST', `/retry?after=${next_after}`)).data);
  return { retried: own.retried + rest.retried, still_stuck: own.still_stuck + rest.still_stuck };
}

it('are paged, what is parked and what was set aside together, the oldest first', async () => {
  await setAside(1, 'a');
  await world.database.system.run(park, { tenantId: 7 });
  await world.database.system.run(publish);
  const first = await ask('GET', '?per_page=1');
  expect(first).toMatchObject({ data: [{ tenant_id: 7, reason: 'too large' }], meta: { total: 2 } });
  expect(await ask('GET', '?per_page=1&page=2')).toMatchObject({ data: [{ id: 'letter-1' }] });
});

it('are retried in portions, none held up by unreadable ones, with their number as the answer', async () => {
  for (let offset = 1; offset <= DEAD_LETTERS; offset += 1)
    await setAside(offset, offset % 10 === 0 ? 'broken' : `${offset}`);
  await world.database.system.run(park, { tenantId: 7 });

  // A portion ends after so many dead letters, or earlier where they take long.
  const first = (await ask('POST', '/retry')).data;
  expect(first.retried + first.still_stuck).toBe(1 + first.next_after);
  expect(first.next_after).toBeLessThanOrEqual(100);
  expect(await withTheRest(first)).toEqual({
    retried: 1 + DEAD_LETTERS * 0.9,
    still_stuck: DEAD_LETTERS / 10,
  });
  expect(taken).toHaveLength(DEAD_LETTERS * 0.9);
  expect((await ask('GET', '')).meta.total).toBe(DEAD_LETTERS / 10);
});

it('stay where they can’t be applied, and hold up no others; for a single one the answer names the fault', async () => {
  await setAside(1, 'unlucky');
  await setAside(2, 'lucky');
  await world.database.system.run(park, { tenantId: 7 });
  expect(await ask('POST', '/letter-1/retry')).toMatchObject({ code: 'service_unavailable' });
  const { data } = await ask('POST', '/retry');
  expect(await withTheRest(data)).toEqual({ retried: 2, still_stuck: 1 });
  expect(taken).toEqual(['lucky']);
  expect(await ask('GET', '')).toMatchObject({ data: [{ id: 'letter-1' }], meta: { total: 1 } });
});

it('are not retried for a tenant whose audit log is not told: what is parked while a retry begins stays', async () => {
  const { system } = world.database;
  for (const tenantId of [0, 7]) await system.run(park, { tenantId });
  for (const statement of parkWhileBeginning) await system.run(statement);
  expect((await ask('POST', '/retry')).data).toMatchObject({ retried: 2 });
  expect(await ask('GET', '')).toMatchObject({ data: [{ tenant_id: 8 }], meta: { total: 1 } });
  expect(await system.many(changed)).toEqual([{ tenant_id: 7, subject: 'events: 1' }]);
  await system.run(parkNoMore);
  expect((await ask('POST', '/retry')).data).toMatchObject({ retried: 1 });
  expect((await system.many(changed)).at(-1)).toEqual({ tenant_id: 8, subject: 'events: 1' });
});

it('are kept, and once, whatever their producer says of when it sent them', async () => {
  const absurd = ['9223372036854775807', '-9223372036854775808', '-1', 'never'];
  for (const [index, timestamp] of [...absurd, ...absurd].entries())
    await setAside(index % absurd.length, 'a', timestamp);
  expect((await ask('GET', '')).meta.total).toBe(absurd.length);
});

it('are listed with what may be shown of each, also where numbers of both kinds are the same', async () => {
  for (let count = 0; count < 12; count += 1) {
    await world.database.system.run(park, { tenantId: count });
    await setAside(count, 'a');
  }
  const ids = (await ask('GET', '?per_page=8&page=2')).data.map(({ id }: { id: string }) => id);
  expect(ids).toEqual([
    'parked-9',
    'parked-10',
    'parked-11',
    'parked-12',
    ...[1, 2, 3, 4].map((id) => `letter-${id}`),
  ]);
  const [parked] = (await ask('GET', '?per_page=1&page=9')).data;
  expect(parked).toMatchObject({ id: 'parked-9', tenant_id: 8, type: 'tenant.updated', consumer: null });
});

it('do not include events that wait to be published, or were', async () => {
  await world.database.system.run(publish);
  expect((await ask('GET', '')).data).toEqual([]);
  for (const [method, path] of [
    ['GET', '/parked-1'],
    ['DELETE', '/parked-1'],
    ['POST', '/parked-1/retry'],
    ['GET', '/letter-0'],
    ['GET', '/letter-99999999999999999999'],
  ] as const)
    expect(await ask(method, path)).toMatchObject({ code: 'not_found', message: 'Stuck event not found.' });
});
