import {
  ERROR_STATUS,
  INGEST_PATH,
  MAX_FEED_WAIT_SECONDS,
  openApiDocument,
  REPEATED_CODE,
  REPEATED_STATUSES,
} from '@frontdesk/contracts';
import { startReceiver } from '../../../tests/support/receiver.ts';
import manifest from '../package.json' with { type: 'json' };
import { apiErrorOf } from './errors.ts';
import { Frontdesk, VERSION } from './index.ts';

/** Methods that call another one's operation. */
const MADE_OF_OTHERS = ['findOrCreate', 'follow', 'followPages'];

it('every operation of the API has a method, and every method an operation', async () => {
  const server = await startReceiver();
  server.respondWith(() => ({
    status: 200,
    body: JSON.stringify({ success: true, data: [], meta: { next_cursor: 'next' } }),
  }));
  const frontdesk = new Frontdesk({ apiKey: 'fd_live_key', baseUrl: server.url });
  for (const resource of Object.values(frontdesk)) {
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(resource))) {
      if (name !== 'constructor' && !MADE_OF_OTHERS.includes(name))
        await resource[name](...(name === 'list' || name === 'create' || name === 'slots' ? [{}] : [1, {}]));
    }
  }
  await server.close();

  const called = server.requests.map(({ method, path }) => `${method} ${path.replace('/1', '/{id}')}`);
  // What takes no key isn't the client's.
  const { [INGEST_PATH]: _ingest, ...paths } = openApiDocument().paths;
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(called.toSorted()).toEqual(described.toSorted());
});

it('every code of a failure has its error', () => {
  for (const [code, status] of Object.entries(ERROR_STATUS)) {
    const data = { oldest_cursor: 'oldest' };
    const failure = { code, status, message: '', errors: {}, requestId: null, data };
    const error = apiErrorOf({ ...failure, retryAfterMs: null, headers: new Headers() });
    expect([code, error.code]).toEqual([code, code]);
  }
});

it('a GET is repeated after what the guide on errors lists, and after nothing else', async () => {
  const server = await startReceiver();
  const frontdesk = new Frontdesk({ apiKey: 'fd_live_key', baseUrl: server.url, maxRetries: 1 });
  const failures = [...Object.entries(ERROR_STATUS), ['of_a_proxy', 502], ['of_the_future', 418]] as const;
  const repeated: string[] = [];
  for (const [code, status] of failures) {
    server.requests.length = 0;
    const body = { success: false, code, message: '', data: { oldest_cursor: 'oldest' } };
    server.respondWith(() => ({ status, headers: { 'retry-after': '0' }, body: JSON.stringify(body) }));
    await expect(frontdesk.services.list()).rejects.toMatchObject({ status });
    if (server.requests.length === 2) repeated.push(code);
  }
  await server.close();
  const listed = failures.filter(
    ([code, status]) => REPEATED_STATUSES.some((one) => one === status) || code === REPEATED_CODE,
  );
  expect(repeated).toEqual(listed.map(([code]) => code));
  // Each status of the list has been tried.
  expect(new Set(listed.map(([, status]) => status))).toEqual(new Set([...REPEATED_STATUSES, 409]));
});

it('who follows the feed waits as long as the API lets a request wait', async () => {
  const server = await startReceiver();
  const meta = { next_cursor: 'next', has_more: false };
  server.respondWith(() => ({ status: 200, body: JSON.stringify({ success: true, data: [], meta }) }));
  const { events } = new Frontdesk({ apiKey: 'fd_live_key', baseUrl: server.url });
  const pages = events.followPages();
  await pages.next();
  await pages.next();
  await server.close();
  const waits = server.requests.map(({ path }) => new URL(path, server.url).searchParams.get('wait'));
  expect(waits).toEqual([null, String(MAX_FEED_WAIT_SECONDS)]);
});

it('the client says its own version', () => {
  expect(VERSION).toBe(manifest.version);
});
