import { setImmediate as immediate } from 'node:timers/promises';
import { AppError, createLogger, createMetrics, type PlainServer } from '@frontdesk/service';
import { createPublicPort } from './public-port.ts';
import type { RequestContext, Route } from './request-context.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const metrics = createMetrics();
const told: [route: string, status: number][] = [];
let port: PlainServer;

const route = (
  path: string,
  answer: (context: RequestContext) => void,
  more: Partial<Route> = {},
): Route => ({
  name: path,
  methods: ['GET', 'HEAD'],
  matches: (asked) => asked === path,
  answer: async (context) => answer(context),
  ...more,
});

beforeAll(async () => {
  port = createPublicPort({
    routes: [
      route('/open', ({ response, headers }) => response.writeHead(200, headers).end('open'), {
        takesNoKey: true,
      }),
      route('/closed', ({ response, headers }) => response.writeHead(200, headers).end('closed')),
      route('/broken', () => {
        throw new Error('password=hunter2 at 10.0.0.1');
      }),
      route('/half', ({ response }) => {
        response.writeHead(200, { 'content-length': 10 }).write('half');
        throw new Error('in the middle');
      }),
    ],
    async authenticate({ request, headers }) {
      if (request.headers['x-api-key'] !== 'good') throw new AppError('unauthorized', 'No.');
      headers['x-ratelimit-limit'] = '5';
    },
    ...{ logger, metrics },
    onAnswered: (name, status) => void told.push([name, status]),
  });
  await port.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => {
  port.server.closeIdleConnections();
  return port.close();
});

const ask = (path: string, init: RequestInit = { headers: { 'x-api-key': 'good' } }) =>
  fetch(`${port.listeningOrigin}${path}`, init);

it('the key comes first, except where none is taken', async () => {
  expect((await ask('/open', {})).status).toBe(200);
  for (const path of ['/closed', '/broken', '/nothing']) expect((await ask(path, {})).status).toBe(401);
  expect(await (await ask('/closed')).text()).toBe('closed');
});

it('whatever fails is told in the envelope, with what goes with every answer, and nothing of the inside', async () => {
  const answer = await ask('/broken', { headers: { 'x-api-key': 'good', 'x-request-id': 'mine' } });
  const text = await answer.text();
  expect([answer.status, JSON.parse(text)]).toEqual([
    500,
    { success: false, code: 'internal_error', message: expect.any(String), request_id: 'mine' },
  ]);
  expect(text).not.toMatch(/hunter2|10\.0\.0\.1|stack/);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(text.length),
    'x-request-id': 'mine',
    'x-ratelimit-limit': '5',
  });
});

it('a failure has no body where a HEAD asked', async () => {
  const answer = await ask('/broken', { method: 'HEAD', headers: { 'x-api-key': 'good' } });
  expect([answer.status, await answer.text()]).toEqual([500, '']);
});

it('405 names the methods of a known path; 404 elsewhere', async () => {
  const wrong = await ask('/open', { method: 'POST' });
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect((await ask('/nothing')).status).toBe(404);
  expect((await ask('/op%65n', {})).status).toBe(200);
});

it('an answer that breaks half way is cut off, not ended', async () => {
  await expect(ask('/half').then((answer) => answer.text())).rejects.toThrow();
});

it('each request is told of once, by the name of its route', async () => {
  told.length = 0;
  for (const path of ['/open', '/closed?a=1', '/broken', '/secret-path']) await (await ask(path)).text();
  // An answer is counted once it has been sent completely.
  while (told.length < 4) await immediate();
  expect(told).toEqual([
    ['/open', 200],
    ['/closed', 200],
    ['/broken', 500],
    ['unmatched', 404],
  ]);
});
