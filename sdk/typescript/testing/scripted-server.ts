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

/** A server that answers as it is told, and a client of it. */
export async function startScriptedServer() {
  const server: Receiver = await startReceiver();
  return {
    server,
    frontdesk: new Frontdesk({ apiKey: API_KEY, baseUrl: `${server.url}/` }),
    /** Answers one after the other; the last one stays. */
    answer(...replies: (Reply | 'hang up' | 'silence')[]): void {
      server.respondWith(() => {
        const reply = replies.length > 1 ? replies.shift() : replies[0];
        if (reply === 'hang up') throw new Error('hang up');
        return reply === 'silence' || !reply ? new Promise(() => {}) : reply;
      });
    },
    sent: () => server.requests.map(({ method, path }) => `${method} ${path}`),
  };
}

/** What the promise fails with. */
export const failed = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => {
      throw new Error('It succeeded.');
    },
    (error: unknown) => error,
  );
