import { pageQuery, pathId, queryFlag, requiredText } from '@frontdesk/contracts';
import { z } from 'zod';
import { createMetrics } from '../metrics/metrics.ts';
import { createLogger } from '../run/logging.ts';
import { createApp } from './app.ts';
import { ok } from './replies.ts';

const app = createApp({
  logger: createLogger({ name: 'test', level: 'silent' }),
  metrics: createMetrics(),
});
const filters = { phone: z.string().optional(), missed: queryFlag.optional() };
const body = z.object({ name: requiredText(10), segment: z.string().optional(), phone: z.string() });
const things = async () => ok([]);

app.get('/api/v1/things', { schema: { querystring: pageQuery.extend(filters) } }, things);
app.get('/api/v1/staff', things);
app.get('/api/v1/staff/:id', { schema: { params: pathId } }, things);
app.get('/internal/things', { schema: { querystring: z.object(filters) } }, things);
app.post(
  '/api/v1/things',
  {
    schema: { querystring: z.object({ if_exists: z.literal('return').optional() }), body },
    config: {
      moreFieldFaults({ body: sent }): Record<string, string[]> {
        const { phone } = sent as { phone?: unknown };
        if (phone === 'broken') throw new Error('Nobody can say.');
        return phone === 'x' ? { phone: ['Not a phone number.'] } : {};
      },
    },
  },
  things,
);
app.patch('/api/v1/things/:id', { schema: { params: pathId, body: body.partial() } }, things);
app.delete('/api/v1/things/:id', { schema: { params: pathId } }, things);
afterAll(() => app.close());

type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';
const send = async (method: Method, url: string, payload?: object) =>
  app.inject({ method, url, ...(payload && { payload }) });
const ask = async (url: string) => send('GET', url);

describe('a parameter that nobody knows', () => {
  it('422: is named, with the one that may be meant', async () => {
    const answer = await ask('/api/v1/things?phoen=1&per_page=2');
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ success: false, code: 'validation_failed' });
    expect(answer.json().errors).toEqual({
      phoen: ['The phoen parameter is unknown. Did you mean phone?'],
    });
    expect((await ask('/api/v1/things?_=17')).json().errors).toEqual({ _: ['The _ parameter is unknown.'] });
  });

  it.each<[Method, string, object | undefined]>([
    ['HEAD', '/api/v1/things', undefined],
    ['GET', '/api/v1/staff', undefined],
    ['HEAD', '/api/v1/staff/7', undefined],
    ['POST', '/api/v1/things', { name: 'A', phone: '1' }],
    ['PATCH', '/api/v1/things/7', { name: 'A' }],
    ['PATCH', '/api/v1/things/7', undefined],
    ['DELETE', '/api/v1/things/7', undefined],
  ])('422: %s %s %j', async (method, url, payload) => {
    expect((await send(method, url, payload)).statusCode).toBe(200);
    expect((await send(method, `${url}?x=1`, payload)).statusCode).toBe(422);
    expect((await send(method, `${url}?api_key=1&api%5fkey=2`, payload)).statusCode).toBe(200);
  });

  it('page and per_page pass wherever something is read, and nowhere else', async () => {
    for (const url of ['/api/v1/staff', '/api/v1/staff/7'])
      expect((await ask(`${url}?page=2&per_page=x`)).statusCode).toBe(200);
    expect((await ask('/api/v1/things?page=0')).statusCode).toBe(422);
    const added = await send('POST', '/api/v1/things?page=1', { name: 'A', phone: '1' });
    expect(Object.keys(added.json().errors)).toEqual(['page']);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype'])(
    '422: also %s, and it is named',
    async (name) => {
      const answer = await ask(`/api/v1/things?${name}=1&${name}=2&${name}[x]=3`);
      expect(answer.statusCode).toBe(422);
      expect(answer.body).toContain(`"${name}":["The ${name} parameter is unknown."]`);
    },
  );

  it('however many and long they are, the answer is short', async () => {
    const many = Array.from({ length: 5_000 }, (_, nth) => `n${nth}`).join('&');
    for (const query of [many, 'x'.repeat(50_000), `${'%F0%9F%99%82'.repeat(3_000)}=1`]) {
      const answer = await ask(`/api/v1/things?${query}`);
      expect(answer.statusCode).toBe(422);
      expect(answer.body.length).toBeLessThan(4_000);
    }
  });

  it('is no fault where it has no name, or outside of API v1', async () => {
    for (const url of ['/api/v1/things?', '/api/v1/things?&', '/api/v1/things?=1', '/internal/things?x=1'])
      expect([url, (await ask(url)).statusCode]).toEqual([url, 200]);
  });

  it('404: a path that names no record comes first', async () => {
    expect((await ask('/api/v1/staff/x?y=1')).statusCode).toBe(404);
    expect((await ask('/api/v1/nothing?y=1')).statusCode).toBe(404);
    expect((await send('DELETE', '/api/v1/staff/7?y=1')).statusCode).toBe(405);
  });
});

describe('a request with several faults', () => {
  it('422: names those of body, query and rules together', async () => {
    const answer = await send('POST', '/api/v1/things?if_exists=no&y=1', { name: 7, phone: 'x' });
    expect(Object.keys(answer.json().errors).toSorted()).toEqual(['if_exists', 'name', 'phone', 'y']);
    const others = await send('POST', '/api/v1/things', { name: 7, phone: 'broken' });
    expect([others.statusCode, Object.keys(others.json().errors)]).toEqual([422, ['name']]);
    const query = await ask('/api/v1/things?missed=no&page=0&x=1');
    expect(Object.keys(query.json().errors).toSorted()).toEqual(['missed', 'page', 'x']);
  });

  it('422: null is a missing value where one is needed, and none that a field can have elsewhere', async () => {
    const added = await send('POST', '/api/v1/things', { name: null, segment: null, phone: null });
    expect(added.json().errors).toEqual({
      name: ['The name field is required.'],
      segment: ['The segment field cannot be null.'],
      phone: ['The phone field is required.'],
    });
    const changed = await send('PATCH', '/api/v1/things/7', { name: null });
    expect(changed.json().errors).toEqual({ name: ['The name field cannot be null.'] });
  });
});
