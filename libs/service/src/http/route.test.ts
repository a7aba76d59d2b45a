import { dataOf, pageOf, type Route } from '@frontdesk/contracts';
import { z } from 'zod';
import { createMetrics } from '../metrics/metrics.ts';
import { createLogger } from '../run/logging.ts';
import { createApp } from './app.ts';
import { requestOf } from './http-client.ts';
import { ok } from './replies.ts';
import { route } from './route.ts';

const thing = z.object({ id: z.int(), name: z.string() });
const things = {
  create: {
    method: 'POST',
    path: '/tenants/{tenant_id}/things',
    query: z.object({ if_exists: z.enum(['return']).optional() }),
    body: z.object({ name: z.string() }),
    status: 201,
    otherStatus: { status: 200 },
    answer: dataOf(thing),
  },
  get: { method: 'GET', path: '/tenants/{tenant_id}/things/{id}', answer: dataOf(thing), record: 'Thing' },
  getOf: {
    method: 'GET',
    path: '/days/{date}',
    params: z.object({ date: z.iso.date() }),
    answer: dataOf(z.object({ date: z.string() })),
  },
  list: { method: 'GET', path: '/things', query: z.object({ sort: z.string() }), answer: pageOf(thing) },
} as const satisfies Record<string, Route>;

const app = createApp({ logger: createLogger({ name: 'test', level: 'silent' }), metrics: createMetrics() });
route(app, things.create, async ({ query, body }, reply) => {
  if (query.if_exists) reply.code(200);
  return ok({ id: 1, name: body.name, secret: 'internal' });
});
route(app, things.get, async ({ params }) => ok({ id: params.id, name: 'Ada' }));
route(app, things.getOf, async ({ params }) => ok({ date: params.date }));
afterAll(() => app.close());

const ask = async (method: 'GET' | 'POST', url: string, payload?: object) => {
  const answer = await app.inject({ method, url, ...(payload && { payload }) });
  return [answer.statusCode, answer.json().data ?? answer.json().message];
};

describe('a declared route', () => {
  it('is read and answered by its schemas, with its status or the other one', async () => {
    const path = '/tenants/7/things';
    expect(await ask('POST', path, { name: 'Ada' })).toEqual([201, { id: 1, name: 'Ada' }]);
    expect(await ask('POST', `${path}?if_exists=return`, { name: 'Ada' })).toEqual([
      200,
      { id: 1, name: 'Ada' },
    ]);
    expect(await ask('POST', path, { name: 7 })).toEqual([422, 'The given data was invalid.']);
  });

  it('reads an id as a number, and other parameters by their schema; what can’t be is not found', async () => {
    expect(await ask('GET', '/tenants/7/things/3')).toEqual([200, { id: 3, name: 'Ada' }]);
    expect(await ask('GET', '/tenants/7/things/x')).toEqual([404, 'Thing not found.']);
    expect(await ask('GET', '/days/2026-03-09')).toEqual([200, { date: '2026-03-09' }]);
    expect(await ask('GET', '/days/2026-03-32')).toEqual([404, 'Not found.']);
  });

  it('is asked by its own method, path and answer', () => {
    const { schema, ...asked } = requestOf(things.create, {
      tenantId: 7,
      body: { name: 'Ada' },
      ifMatch: '"1"',
    });
    expect(asked).toEqual({
      method: 'POST',
      path: '/tenants/7/things',
      tenantId: 7,
      body: { name: 'Ada' },
      ifMatch: '"1"',
    });
    expect(schema).toBe(thing);
    expect(requestOf(things.get, { tenantId: 7, id: '../8?x' }).path).toBe('/tenants/7/things/..%2F8%3Fx');
    expect(requestOf(things.list, { query: { sort: 'a&b' } })).toMatchObject({
      method: 'GET',
      path: '/things?sort=a%26b',
    });
  });
});
