import { KEPT_ANSWER_BYTES } from '@frontdesk/contracts';
import { Agent, errors } from 'undici';
import { addTo } from './add-to.rules.ts';
import type { AddressGuard } from './address-guard.client.ts';
import { type AttemptOutcome, type ErrorClass, HEADERS_CHARACTERS } from './attempt.rules.ts';
import { DeadlinePassed, exchange } from './exchange.client.ts';

const CLASS_OF_CODE: Record<string, ErrorClass> = {
  ERR_ADDRESS_REFUSED: 'address',
  ERR_UNRESOLVED_NAME: 'dns',
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  EADDRNOTAVAIL: 'connect',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  EPROTO: 'tls',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
};

/** Codes of OpenSSL's certificate checks and of Node's own TLS layer. */
const TLS_CODE = /CERT|^ERR_(TLS|SSL)_|UNABLE_TO_VERIFY/;

/** Sorts what undici and the guard before it throw, by its code. */
function errorClassOf(error: unknown): ErrorClass {
  if (error instanceof errors.HTTPParserError) return 'protocol';
  const code = codeOf(error);
  if (TLS_CODE.test(code)) return 'tls';
  return CLASS_OF_CODE[code] ?? 'other';
}

function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return cause === undefined ? '' : codeOf(cause);
}

const KEEP_ALIVE_MS = 4_000;
const MAX_KEEP_ALIVE_MS = 15_000;
const HEADERS = { 'content-type': 'application/json', 'user-agent': 'Frontdesk-Webhooks/1' };

export interface ReceiverClient {
  /**
   * POSTs these bytes. Never throws: whatever goes wrong is an outcome, which knows of the endpoint's custom headers only the names.
   * Redirects are not followed.
   */
  post(
    url: string,
    signature: Record<string, string>,
    body: Buffer,
    own?: Readonly<Record<string, string>>,
  ): Promise<AttemptOutcome>;
  stop(): Promise<void>;
}

/**
 * `timeoutMs` covers DNS, connecting, headers and body together. `connections` bounds the open sockets to one origin;
 * how many requests are in flight in all is the caller's to bound. While more than `keepUpTo` connections are open, to whatever
 * origins, a request to one that none is open to closes its own: each takes some 40 KB. `guard` decides what may be connected to.
 */
export function createReceiverClient(options: {
  timeoutMs: number;
  connections: number;
  keepUpTo: number;
  guard: AddressGuard;
}): ReceiverClient {
  const { timeoutMs, connections, keepUpTo, guard } = options;
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
  let open = 0;
  const openTo = new Map<string, number>();
  const noteOpen = (origin: URL, change: number) => {
    open += change;
    addTo(openTo, origin.origin, change);
  };
  agent.on('connect', (origin) => noteOpen(origin, 1));
  agent.on('disconnect', (origin) => noteOpen(origin, -1));

  return {
    async post(url, signature, body, own = {}) {
      const startedAt = new Date();
      const started = performance.now();
      const ours = { ...HEADERS, ...signature };
      const requestHeaders = { ...hidden(own), ...ours };
      const outcome = (
        fields: Omit<AttemptOutcome, 'startedAt' | 'durationMs' | 'requestHeaders'>,
      ): AttemptOutcome => ({
        startedAt,
        requestHeaders,
        durationMs: Math.round(performance.now() - started),
        ...fields,
      });
      try {
        const target = guard.admit(url);
        const {
          statusCode,
          headers,
          body: answered,
        } = await exchange(
          agent,
          {
            url: target,
            headers: { ...own, ...ours },
            body,
            reset: open > keepUpTo && !openTo.has(target.origin),
          },
          { timeoutMs, maxBytes: KEPT_ANSWER_BYTES },
        );
        return outcome({
          httpStatus: statusCode,
          responseHeaders: textsOf(headers),
          responseBody: startOf(answered),
          errorClass: faultOf(statusCode),
        });
      } catch (error) {
        const errorClass = error instanceof DeadlinePassed ? 'timeout' : errorClassOf(error);
        return outcome({ httpStatus: null, errorClass, responseBody: null, responseHeaders: null });
      }
    },
    async stop() {
      await agent.destroy();
    },
  };
}

const hidden = (own: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.keys(own).map((name) => [name, '[hidden]']));

function faultOf(httpStatus: number): ErrorClass | null {
  if (httpStatus >= 200 && httpStatus < 300) return null;
  return httpStatus >= 300 && httpStatus < 400 ? 'redirect' : 'http_status';
}

/** As text. Streaming leaves out a character that the cut went through. PostgreSQL can't hold NUL. */
function startOf(body: Buffer): string {
  if (body.length === 0) return '';
  const start = body.subarray(0, KEPT_ANSWER_BYTES);
  return new TextDecoder().decode(start, { stream: true }).replaceAll('\0', '\uFFFD');
}

/** Names in lower case → values; what goes beyond a few KiB is left out. */
function textsOf(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const texts: Record<string, string> = {};
  let length = 0;
  for (const name in headers) {
    const value = headers[name] ?? '';
    const text = (Array.isArray(value) ? value.join(', ') : value).replaceAll('\0', '\uFFFD');
    length += name.length + text.length;
    if (length > HEADERS_CHARACTERS) break;
    texts[name] = text;
  }
  return texts;
}
