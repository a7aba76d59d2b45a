import { ConnectionError, TimeoutError } from '../errors.ts';
import type { RawAnswer } from './answer.ts';

/** The longest that an attempt may take, unless the program says otherwise. */
export const TIMEOUT_MS = 30_000;

/** Sends a request once and reads its whole answer. @throws ConnectionError, TimeoutError, or the reason of `signal` */
export async function attempt(
  fetch: typeof globalThis.fetch,
  url: URL,
  init: Omit<RequestInit, 'signal'>,
  { signal, timeoutMs }: { signal: AbortSignal | undefined; timeoutMs: number },
): Promise<RawAnswer> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    controller.abort();
  }, timeoutMs);
  // AbortSignal.any is younger than Node 18.
  const abort = () => controller.abort();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const response = await fetch(url, { ...init, signal: controller.signal });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (cause) {
    signal?.throwIfAborted();
    // The query is left out: it may hold personal data.
    const target = `${init.method} ${url.origin}${url.pathname}`;
    if (isLate) throw new TimeoutError(`${target}: no answer within ${timeoutMs} ms.`, { cause });
    throw new ConnectionError(`${target}: ${reasonOf(cause)}`, { cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** Node hides the reason one level down. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : 'the connection failed');
}

/** @throws the reason of `signal`, as soon as it aborts */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
