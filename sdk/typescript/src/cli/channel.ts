import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Failed } from './exit-codes.ts';
import { addListener, type Listener, newAddress } from './listener-folder.ts';
import type { DeliveryRecord } from './report.ts';
import { plain } from './terminal.ts';

const PATH = '/examples/';
const TOKEN_BYTES = 32;
/** What an example takes besides its delivery is less. */
const EXAMPLE_MARGIN_MS = 5_000;
const MAX_CONNECTIONS = 16;
/** No process listens at the address any more. */
const ENDED = new Set(['ECONNREFUSED', 'ENOENT']);
/** The listener takes no more connections now. */
const BUSY = new Set(['ECONNRESET', 'EPIPE', 'EAGAIN']);

/**
 * Takes requests for examples from this user's `trigger`. They come through a socket, which no page in a browser can reach, in a
 * folder that is closed to other users. Each request must show the listener's token.
 */
export async function openChannel(options: {
  forward: string | null;
  env: NodeJS.ProcessEnv;
  /** @throws WrongUse for a name that is none of an event */
  handle: (event: string) => Promise<DeliveryRecord>;
}): Promise<{ close(): Promise<void> }> {
  const { forward, env, handle } = options;
  const address = await newAddress(env);
  const token = randomBytes(TOKEN_BYTES).toString('hex');
  const server = createServer((request, response) => {
    answer(request, token, handle).then(
      ({ status, body }) => reply(response, status, body),
      (error: unknown) =>
        reply(response, 422, {
          message: error instanceof Error ? error.message : 'The listener has ended.',
        }),
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(address);
  await once(server, 'listening');
  const stopServer = async () => {
    server.closeAllConnections?.();
    server.close();
    await once(server, 'close');
  };
  try {
    if (process.platform !== 'win32') await chmod(address, 0o600);
    const remove = await addListener({ pid: process.pid, address, token, forward }, env);
    return {
      async close() {
        try {
          await remove();
        } finally {
          await stopServer();
        }
      },
    };
  } catch (error) {
    await stopServer();
    throw error;
  }
}

async function answer(
  { method, url = '', headers }: IncomingMessage,
  token: string,
  handle: (event: string) => Promise<DeliveryRecord>,
): Promise<{ status: number; body: object }> {
  if (!isSame(headers.authorization ?? '', `Bearer ${token}`))
    return { status: 401, body: { message: 'The token is wrong.' } };
  if (method === 'GET') return { status: 200, body: {} };
  if (method !== 'POST' || !url.startsWith(PATH))
    return { status: 404, body: { message: 'There is nothing here.' } };
  return { status: 200, body: await handle(decodeURIComponent(url.slice(PATH.length))) };
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify(body));
}

const digest = (value: string) => createHash('sha256').update(value).digest();
const isSame = (given: string, expected: string) => timingSafeEqual(digest(given), digest(expected));

/** `silent`: the process is there and does not answer, as when Ctrl-Z has stopped it. */
export type ListenerState = 'running' | 'silent' | 'ended';

/** What became of a listener. The description of a killed one stays behind. */
export async function stateOf(
  listener: Listener,
  { timeoutMs }: { timeoutMs: number },
): Promise<ListenerState> {
  try {
    const answer = await ask(listener, { method: 'GET', path: '/', timeoutMs });
    return answer ? 'running' : 'ended';
  } catch (error) {
    return error instanceof Silent ? 'silent' : 'running';
  }
}

/** Has a listener show and forward an example. @returns null if it has ended @throws Failed with the listener's reason */
export const requestExample = (
  listener: Listener,
  event: string,
  { deliveryMs }: { deliveryMs: number },
): Promise<DeliveryRecord | null> =>
  ask<DeliveryRecord>(listener, {
    method: 'POST',
    path: PATH + encodeURIComponent(event),
    timeoutMs: deliveryMs + EXAMPLE_MARGIN_MS,
  });

/** The listener has the connection and gives no answer. */
export class Silent extends Failed {
  constructor({ pid }: Listener) {
    super(
      `The listener with process id ${pid} does not answer. If Ctrl-Z has stopped it, fg lets it go on; else end it and start another.`,
    );
  }
}

async function ask<Answer>(
  listener: Listener,
  { method, path, timeoutMs }: { method: string; path: string; timeoutMs: number },
): Promise<Answer | null> {
  const request = requestHttp({
    socketPath: listener.address,
    method,
    path,
    timeout: timeoutMs,
    headers: { authorization: `Bearer ${listener.token}`, 'content-length': '0' },
  });
  request.on('timeout', () => request.destroy(new Silent(listener)));
  request.end();
  let response: IncomingMessage;
  try {
    [response] = (await once(request, 'response')) as [IncomingMessage];
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (ENDED.has(code)) return null;
    if (BUSY.has(code)) throw new Failed('The listener is busy. Try again.');
    throw error;
  }
  const body = JSON.parse(await text(response));
  if (response.statusCode === 200) return body;
  throw new Failed(plain(String(body.message)));
}
