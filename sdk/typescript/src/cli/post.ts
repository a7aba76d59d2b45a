import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** A delivery, too, reads no more of an answer. */
const ANSWER_BYTES = 16 * 1024;

/** Why a delivery failed, as in the delivery log. */
export type Fault =
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'protocol'
  | 'redirect'
  | 'http_status'
  | 'other';

export interface Outcome {
  /** Null where no whole answer came. */
  status: number | null;
  /** Null where it was delivered. */
  fault: Fault | null;
  /** A code of the connection's fault, such as ECONNREFUSED. */
  detail: string | null;
  /** The beginning of the answer's body. */
  answer: string;
  durationMs: number;
}

const FAULT_OF_CODE: Record<string, Fault> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  EAI_NODATA: 'dns',
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  EADDRNOTAVAIL: 'connect',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  EPROTO: 'tls',
};

interface Options {
  timeoutMs: number;
  /** Aborting it ends the attempt. */
  signal: AbortSignal;
}

/** POSTs these bytes once and follows no redirect. A failure is an outcome. @throws the reason of `signal` */
export async function post(
  url: URL,
  headers: Record<string, string>,
  body: Buffer,
  { timeoutMs, signal }: Options,
): Promise<Outcome> {
  const started = performance.now();
  const answered = await send(url, { ...headers, 'content-length': String(body.length) }, body, {
    timeoutMs,
    signal,
  }).catch((error: unknown) => {
    if (signal.aborted) throw signal.reason;
    return { status: null, answer: '', ...faultOf(error) };
  });
  return { ...answered, durationMs: Math.round(performance.now() - started) };
}

class Late extends Error {}

function send(url: URL, headers: Record<string, string>, body: Buffer, { timeoutMs, signal }: Options) {
  return new Promise<Omit<Outcome, 'durationMs'>>((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      headers,
      // A connection of its own: a kept one may have been closed by a server that has just restarted.
      agent: false,
      // "localhost" may be IPv6, IPv4 or both.
      autoSelectFamily: true,
      signal,
    } as object);
    const timer = setTimeout(() => request.destroy(new Late()), timeoutMs);
    request.on('error', reject);
    // The last event of all, however the exchange has ended. So the promise settles and no timer is left.
    request.on('close', () => {
      clearTimeout(timer);
      reject(Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' }));
    });
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      const chunks: Buffer[] = [];
      let length = 0;
      const end = () => {
        const answer = Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString('utf8');
        resolve({ status, fault: faultOfStatus(status), detail: null, answer });
      };
      response.on('error', reject);
      response.on('end', () => response.complete && end());
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length <= ANSWER_BYTES) return;
        end();
        request.destroy();
      });
    });
    request.end(body);
  });
}

function faultOfStatus(status: number): Fault | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'http_status';
}

function faultOf(error: unknown): { fault: Fault; detail: string | null } {
  if (error instanceof Late) return { fault: 'timeout', detail: null };
  const { code, errors, message } = error as { code?: string; errors?: unknown[]; message?: string };
  // A name with several addresses has an error for each.
  if (code === undefined && errors?.[0]) return faultOf(errors[0]);
  const detail = code ?? message ?? null;
  if (code === undefined) return { fault: 'other', detail };
  if (code.startsWith('HPE_')) return { fault: 'protocol', detail };
  if (/CERT|^ERR_(TLS|SSL)_|UNABLE_TO_VERIFY/.test(code)) return { fault: 'tls', detail };
  return { fault: FAULT_OF_CODE[code] ?? 'other', detail };
}
