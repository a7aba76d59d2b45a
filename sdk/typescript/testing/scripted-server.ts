import { type Receiver, startReceiver } from '../../../tests/support/receiver.ts';
import { Frontdesk } from '../src/index.ts';

export const API_KEY = 'fd_live_thisMustNeverBeSeen';

interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

export const json = (status: number, body: object, headers = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers },
  body: JSON.stringify(body),
});
export const done = json(200, { success: true, data: { id: 5 } }, { etag: 'W/"3"' });
export const failure = (status: number, code: string, more: object = {}, headers = {}): Reply =>
  json(status, { success: false, code, message: `It is ${code}.`, request_id: 'req-1', ...more }, headers);
/** An answer that asks for no wait: what is sent again comes at once. */
export const NOW = { 'retry-after': '0' };

export const BOOKING = {
  customer_id: 1,
  service_id: 2,
  appointment_date: '2026-03-09',
  appointment_time: '10:00',
};

/** Of each test a server that answers as it is told, and a client of it. */
export let server: Receiver;
export let frontdesk: Frontdesk;

/** Starts these for the tests of a file, and stops them. */
export function startForEachTest(): void {
  beforeEach(async () => {
    server = await startReceiver();
    frontdesk = new Frontdesk({ apiKey: API_KEY, baseUrl: `${server.url}/` });
  });
  afterEach(() => server.close());
}

/** The server gives these answers one after the other; the last one stays. */
export function answer(...replies: (Reply | 'hang up' | 'silence')[]): void {
  server.respondWith(() => {
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    if (reply === 'hang up') throw new Error('hang up');
    return reply === 'silence' || !reply ? new Promise(() => {}) : reply;
  });
}

export const sent = () => server.requests.map(({ method, path }) => `${method} ${path}`);

/** The error with which the promise fails. */
export const failed = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => {
      throw new Error('It succeeded.');
    },
    (error: unknown) => error,
  );
