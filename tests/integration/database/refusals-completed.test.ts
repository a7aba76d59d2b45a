import { type Database, tenantSql } from '@frontdesk/database';
import { AppError, createApp, createMetrics, ok } from '@frontdesk/service';
import { idempotent } from '@frontdesk/wiring';
import { PATIENT_BOUNDS } from '../../support/index.ts';
import { logger, openDatabase } from './database-world.ts';

const TENANT = 22;
const insertThing = tenantSql<{ id: number }, { name: string }>(
  'insert_thing',
  'insert into things (tenant_id, name) values ($tenantId, $name) returning id',
);
const countThings = tenantSql<{ count: number }, { name: string }>(
  'count_things',
  'select count(*) from things where tenant_id = $tenantId and name = $name',
);

let world: Awaited<ReturnType<typeof openDatabase>>;
let database: Database;
const app = createApp({ logger, metrics: createMetrics() });
/** What the next requests are refused with is worked out by this; null: they are not refused. */
let complete: (() => Promise<unknown>) | null = null;

beforeAll(async () => {
  // With one connection, nothing can be read as long as a transaction holds it.
  world = await openDatabase({ poolMax: 1 });
  database = world.database;
  app.post('/things', async (request, reply) => {
    const { name } = request.body as { name: string };
    const scope = database.forTenant(TENANT);
    return idempotent(
      { request, reply, scope, duplicateWaitMs: PATIENT_BOUNDS.query_timeout },
      (transaction) =>
        transaction(async (tx) => {
          const { id } = await tx.one(insertThing, { name });
          if (complete) throw new AppError('slot_unavailable', 'Taken.', { complete });
          return { status: 201, body: ok({ id }) };
        }),
    );
  });
});
afterEach(() => {
  complete = null;
});
afterAll(async () => {
  await app.close();
  await world.close();
});

const post = async (name: string, key?: string) => {
  const headers = key ? { 'idempotency-key': key } : {};
  const answer = await app.inject({ method: 'POST', url: '/things', payload: { name }, headers });
  const { request_id: _, ...body } = answer.json();
  return { status: answer.statusCode, body, isReplayed: answer.headers['idempotent-replayed'] === 'true' };
};
const count = async (name: string) => (await database.forTenant(TENANT).one(countThings, { name })).count;

describe('a refusal whose data is worked out', () => {
  it.each([
    ['with a key', 'key-1'],
    ['without', undefined],
  ])('%s: once its transaction has given its connection back, with its effect undone', async (_name, key) => {
    const name = `free ${key}`;
    complete = async () => ({ found: await count(name) });
    expect(await post(name, key)).toMatchObject({ status: 409, body: { data: { found: 0 } } });
  });

  it('is replayed with its data, which is worked out once', async () => {
    let times = 0;
    complete = async () => {
      times += 1;
      return { times };
    };
    const [first, again] = [await post('taken', 'key-2'), await post('taken', 'key-2')];
    expect([first.status, first.isReplayed, again.isReplayed]).toEqual([409, false, true]);
    expect(again.body).toEqual(first.body);
    expect(first.body.data).toEqual({ times: 1 });
  });

  it('gives way to a duplicate request that has its effect meanwhile: both get its answer', async () => {
    const twin = Promise.withResolvers<Awaited<ReturnType<typeof post>>>();
    complete = async () => {
      complete = null;
      twin.resolve(await post('twins', 'key-3'));
      return {};
    };
    const first = await post('twins', 'key-3');
    const second = await twin.promise;
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body).toEqual(second.body);
    expect([first.isReplayed, second.isReplayed]).toEqual([true, false]);
    expect(await count('twins')).toBe(1);
  });

  it('gives way to a duplicate request that is refused meanwhile: both get its answer', async () => {
    const twin = Promise.withResolvers<Awaited<ReturnType<typeof post>>>();
    complete = async () => {
      complete = async () => ({ by: 'twin' });
      twin.resolve(await post('refused', 'key-4'));
      return { by: 'first' };
    };
    const first = await post('refused', 'key-4');
    expect(first.body.data).toEqual({ by: 'twin' });
    expect((await twin.promise).body).toEqual(first.body);
  });

  it('is forgotten where nobody lived to work it out: the next try has its effect', async () => {
    complete = async () => {
      throw new Error('gone');
    };
    expect((await post('retried', 'key-5')).status).toBe(500);
    complete = null;
    expect(await post('retried', 'key-5')).toMatchObject({ status: 201, isReplayed: false });
  });
});
