import { FrontdeskError } from '../errors.ts';
import { TIMEOUT_MS } from './attempt.ts';
import type { RetryNotice } from './call.ts';
import { MAX_RETRIES, MAX_RETRY_WAIT_MS } from './retry.ts';

export interface FrontdeskOptions {
  /** The key, `fd_live_…`, that the settings have shown once. */
  apiKey: string;
  /** The API's address without `/api/v1`, for example `https://frontdesk.example.com`. */
  baseUrl: string;
  /** The longest that one attempt may take, its whole answer included. 30 seconds by default. */
  timeoutMs?: number;
  /** Attempts after the first one. 2 by default; 0 turns retries off. */
  maxRetries?: number;
  /**
   * The longest that all waits of a call which answers ask for (429, `Retry-After`) may take together. 2 seconds by default; where an
   * answer asks for more, the call throws at once, for example a `RateLimitError` with `retryAfterMs`. A job may take 60,000 or more.
   */
  maxRetryWaitMs?: number;
  /** Called before each wait. Throw to end the call. */
  onRetry?: ((notice: RetryNotice) => void) | undefined;
  /** Instead of the global `fetch`, for example with a proxy. */
  fetch?: typeof globalThis.fetch;
}

export type Settings = Required<Omit<FrontdeskOptions, 'onRetry'>> & Pick<FrontdeskOptions, 'onRetry'>;

/** setTimeout takes no more. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** @throws FrontdeskError on what can't work */
export function checkBounds({
  timeoutMs,
  maxRetries,
  maxRetryWaitMs,
}: Pick<Settings, 'timeoutMs' | 'maxRetries' | 'maxRetryWaitMs'>): void {
  if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS))
    throw new FrontdeskError('timeoutMs must be a positive number of milliseconds.');
  if (!(Number.isInteger(maxRetries) && maxRetries >= 0))
    throw new FrontdeskError('maxRetries must be a whole number, 0 or more.');
  if (!(maxRetryWaitMs >= 0 && maxRetryWaitMs <= MAX_TIMEOUT_MS))
    throw new FrontdeskError('maxRetryWaitMs must be a number of milliseconds, 0 or more.');
}

/** The options with their defaults. @throws FrontdeskError on what can't work, without the key */
export function settingsOf(options: FrontdeskOptions): Settings {
  const { apiKey, baseUrl, timeoutMs = TIMEOUT_MS, maxRetries = MAX_RETRIES } = options;
  const { maxRetryWaitMs = MAX_RETRY_WAIT_MS, onRetry } = options;
  // fetch would quote a key that no header can hold.
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new FrontdeskError('apiKey must be an API key: visible ASCII characters without spaces.');
  checkBounds({ timeoutMs, maxRetries, maxRetryWaitMs });
  const fetch = options.fetch ?? globalThis.fetch;
  if (typeof fetch !== 'function')
    throw new FrontdeskError('There is no fetch here: use Node 18 or newer, or give one as fetch.');
  // A browser's own must not be called as a method of something else.
  return {
    apiKey,
    baseUrl: checked(baseUrl),
    timeoutMs,
    maxRetries,
    maxRetryWaitMs,
    onRetry,
    fetch: (...args) => fetch(...args),
  };
}

function checked(baseUrl: string): string {
  const url = parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new FrontdeskError(
      'baseUrl must be an http or https address without credentials, query or fragment.',
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
