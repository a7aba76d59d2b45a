import { Agent, request } from 'undici';
import type { AttemptOutcome, ErrorClass } from '../domain/attempt.ts';
import type { AddressGuard } from './address-guard.ts';
import { errorClassOf } from './error-class.ts';

const RESPONSE_BODY_BYTES = 16 * 1024;
const HEADERS_CHARACTERS = 8 * 1024;
const KEEP_ALIVE_MS = 4_000;
const MAX_KEEP_ALIVE_MS = 15_000;
const HEADERS = { 'content-type': 'application/json', 'user-agent': 'Frontdesk-Webhooks/1' };

export interface ReceiverClient {
  /** POSTs these bytes. Never throws: whatever goes wrong is an outcome. Redirects are not followed. */
  post(url: string, signature: Record<string, string>, body: Buffer): Promise<AttemptOutcome>;
  stop(): Promise<void>;
}

/**
 * `timeoutMs` covers DNS, connecting, headers and body together. `connections` bounds the open sockets to one origin;
 * how many requests are in flight in all is the caller's to bound. `guard` decides what may be connected to.
 */
export function createReceiverClient(options: {
  timeoutMs: number;
  connections: number;
  guard: AddressGuard;
}): ReceiverClient {
  const { timeoutMs, connections, guard } = options;
  const agent = new Agent({
    connections,
    // For names; the address of a URL without one is checked with the URL. A kept connection was checked when it was made.
    connect: { timeout: timeoutMs, lookup: guard.lookup },
    // The deadline below is the only clock of an exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
    // Cutting a long answer short closes its connection: that must not end others that share it.
    allowH2: false,
  });

  const exchange = async (url: URL, headers: Record<string, string>, body: Buffer, signal: AbortSignal) => {
    const answer = await request(url, { dispatcher: agent, method: 'POST', headers, body, signal });
    const responseBody = await readStart(answer.body);
    return { httpStatus: answer.statusCode, responseHeaders: textsOf(answer.headers), responseBody };
  };

  return {
    async post(url, signature, body) {
      const startedAt = new Date();
      const started = performance.now();
      const deadline = createDeadline(timeoutMs);
      const requestHeaders = { ...HEADERS, ...signature };
      const outcome = (
        fields: Omit<AttemptOutcome, 'startedAt' | 'durationMs' | 'requestHeaders'>,
      ): AttemptOutcome => ({
        startedAt,
        requestHeaders,
        durationMs: Math.round(performance.now() - started),
        ...fields,
      });
      try {
        // Raced, because an abort doesn't end a request that is still waiting for its connection.
        const answer = await Promise.race([
          exchange(guard.admit(url), requestHeaders, body, deadline.signal),
          deadline.passed,
        ]);
        return outcome({ ...answer, errorClass: faultOf(answer.httpStatus) });
      } catch (error) {
        const errorClass = deadline.signal.aborted ? 'timeout' : errorClassOf(error);
        return outcome({ httpStatus: null, errorClass, responseBody: null, responseHeaders: null });
      } finally {
        deadline.clear();
      }
    },
    async stop() {
      await agent.destroy();
    },
  };
}

function faultOf(httpStatus: number): ErrorClass | null {
  if (httpStatus >= 200 && httpStatus < 300) return null;
  return httpStatus >= 300 && httpStatus < 400 ? 'redirect' : 'http_status';
}

/** Reads the start of a body and then closes its connection, however much more there is to come. */
async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > RESPONSE_BODY_BYTES) break;
  }
  const start = Buffer.concat(chunks).subarray(0, RESPONSE_BODY_BYTES);
  // Streaming leaves out a character that the cut went through. PostgreSQL can't hold NUL.
  return new TextDecoder().decode(start, { stream: true }).replaceAll('\0', '\uFFFD');
}

/** Names in lower case → values; what goes beyond a few KiB is left out. */
function textsOf(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const texts: Record<string, string> = {};
  let length = 0;
  for (const [name, value = ''] of Object.entries(headers)) {
    const text = [value].flat().join(', ').replaceAll('\0', '\uFFFD');
    length += name.length + text.length;
    if (length > HEADERS_CHARACTERS) break;
    texts[name] = text;
  }
  return texts;
}

/** Like AbortSignal.timeout, but a finished exchange leaves no timer behind. */
function createDeadline(ms: number) {
  const controller = new AbortController();
  const { promise: passed, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const reason = new Error('The deadline has passed.');
    controller.abort(reason);
    reject(reason);
  }, ms);
  return { signal: controller.signal, passed, clear: () => clearTimeout(timer) };
}
