import { createHash } from 'node:crypto';
import { type Database, systemSql, tenantSql } from '@frontdesk/database';
import { AppError, createApp, createMetrics, ok } from '@frontdesk/service';
import { idempotent } from '@frontdesk/wiring';
import { PATIENT_BOUNDS } from '../../support/index.ts';
import { logger, openDatabase } from './database-world.ts';

const TENANT = 21;
const insertThing = tenantSql<{ id: number }, { name: string }>(
  'insert_thing',
  'insert into things (tenant_id, name) values ($tenantId, $name) returning id',
);
const countThings = systemSql<{ count: number }, { name: string }>(
  'count_things',
  'select count(*) from things where name = $name',
);
const findHash = systemSql<{ body_hash: Buffer }, { key: string }>(
  'find_hash',
  'select body_hash from idempotency_keys where key = $key',
);

let world: Awaited<ReturnType<typeof openDatabase>>;
let database: Database;
const app = createApp({ logger, metrics: createMetrics() });
let isBroken = false;

beforeAll(async () => {
  world = await openDatabase({ poolMax: 2 });
  database = world.database;
  app.post('/things', async (request, reply) => {
    const { name, tenant = TENANT } = request.body as { name: string; tenant?: number };
    const scope = database.forTenant(tenant);
    return idempotent(
      { request, reply, scope, duplicateWaitMs: PATIENT_BOUNDS.query_timeout },
      (transaction) =>
        transaction(async (tx) => {
          const { id } = await tx.one(insertThing, { name });
          if (name === 'taken')
            throw new AppError('slot_unavailable', 'Taken.', { data: { alternatives: [] } });
          if (isBroken) throw new Error('broken');
          return { status: 201, body: ok({ id }), headers: { etag: '"1"' } };
        }),
    );
  });
});
afterAll(async () => {
  await app.close();
  await world.close();
});

const post = (body: object, key?: string, query = '') =>
  app.inject({
    method: 'POST',
    url: `/things${query}`,
    payload: body,
    headers: key ? { 'idempotency-key': key } : {},
  });
const count = async (name: string) => (await database.system.one(countThings, { name })).count;

describe('an idempotency key', () => {
  it('replays the first answer, whole, and causes one effect', async () => {
    const first = await post({ name: 'once' }, 'key-1');
    const second = await post({ name: 'once' }, 'key-1');
    expect(first.statusCode).toBe(201);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(second.statusCode).toBe(201);
    expect(second.json()).toEqual(first.json());
    expect(second.headers).toMatchObject({ 'idempotent-replayed': 'true', etag: '"1"' });
    expect(await count('once')).toBe(1);
  });

  it('lets one of 20 duplicate requests work while the others wait without a connection', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post({ name: 'raced' }, 'key-2')));
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(await count('raced')).toBe(1);
  });

  it('422: with the same body and another query; an API key and the order do not count', async () => {
    const name = 'queried';
    const first = await post({ name }, 'key-q', '?b=2&a=1&a=0');
    for (const query of ['', '?a=1', '?a=1&a=0&b=3', '?a=0&a=1&b=2', '?b=2&a=1&a=0&if_exists=return']) {
      const answer = await post({ name }, 'key-q', query);
      expect([query, answer.statusCode]).toEqual([query, 422]);
      expect(answer.json().errors).toEqual({
        'Idempotency-Key': ['This Idempotency-Key was used with another request body or query.'],
      });
    }
    for (const query of ['?a=1&a=0&b=2', '?api_key=fd_live_x&a=1&b=2&a=0', '?a=1&a=0&b=%32&api%5fkey=1']) {
      const answer = await post({ name }, 'key-q', query);
      expect([query, answer.statusCode, answer.body]).toEqual([query, 201, first.body]);
    }
    expect(await count(name)).toBe(1);
  });

  it.each([
    ['', ''],
    ['?api_key=x', ''],
    ['?if_exists=return', 'return'],
  ])('replays what the release before has stored for the query %j', async (query, variant) => {
    const body = { name: `stored ${query}` };
    const key = `key-before-${query}`;
    const first = await post(body, key, query);
    const hash = createHash('sha256').update(JSON.stringify(body)).update(variant).digest();
    expect((await database.system.one(findHash, { key })).body_hash).toEqual(hash);
    expect((await post(body, key, query)).body).toBe(first.body);
  });

  it('422: with another body', async () => {
    await post({ name: 'original' }, 'key-3');
    const answer = await post({ name: 'different' }, 'key-3');
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errors).toHaveProperty('Idempotency-Key');
    expect(await count('different')).toBe(0);
  });

  it('409: a refusal is replayed too, and its effect stays undone', async () => {
    const first = await post({ name: 'taken' }, 'key-4');
    const second = await post({ name: 'taken' }, 'key-4');
    expect([first.statusCode, second.statusCode]).toEqual([409, 409]);
    expect(first.json()).toMatchObject({ code: 'slot_unavailable', data: { alternatives: [] } });
    expect({ ...second.json(), request_id: '' }).toEqual({ ...first.json(), request_id: '' });
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(await count('taken')).toBe(0);
  });

  it('500: a fault is never remembered', async () => {
    isBroken = true;
    expect((await post({ name: 'healed' }, 'key-5')).statusCode).toBe(500);
    isBroken = false;
    const answer = await post({ name: 'healed' }, 'key-5');
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });

  it('belongs to one tenant', async () => {
    const first = await post({ name: 'same', tenant: 31 }, 'key-6');
    const second = await post({ name: 'same', tenant: 32 }, 'key-6');
    expect([first.statusCode, second.statusCode]).toEqual([201, 201]);
    expect(second.headers['idempotent-replayed']).toBeUndefined();
  });

  it.each(['', ' ', 'x'.repeat(256), 'käse'])('422: %j is no key', async (key) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/things',
      payload: { name: 'unkeyed' },
      headers: { 'idempotency-key': key },
    });
    expect(answer.statusCode).toBe(422);
  });
});
