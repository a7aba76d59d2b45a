import { randomKey } from '../crypto.ts';
import { FrontdeskError } from '../errors.ts';
import { VERSION } from '../version.ts';
import { type Answer, readAnswer } from './answer.ts';
import { attempt, wait } from './attempt.ts';
import type { Call } from './call.ts';
import { passesBy, waitBeforeRetry } from './retry.ts';
import { checkBounds, type Settings } from './settings.ts';

export type Send = <Data>(call: Call) => Promise<Answer<Data>>;

/** Sends calls, each as often as it may be and until one attempt succeeds. */
export function createSend(settings: Settings): Send {
  return async <Data>(given: Call) => {
    const call = given.method === 'POST' ? await withKey(given) : given;
    const { signal, timeoutMs = settings.timeoutMs, maxRetries = settings.maxRetries } = call.options ?? {};
    const { maxRetryWaitMs = settings.maxRetryWaitMs, onRetry = settings.onRetry } = call.options ?? {};
    checkBounds({ timeoutMs, maxRetries, maxRetryWaitMs });
    const init = initOf(call, settings.apiKey);
    const url = urlOf(call, settings.baseUrl);
    let waitedMs = 0;
    for (let attempts = 1; ; attempts += 1) {
      try {
        return readAnswer<Data>(
          await attempt(settings.fetch, url, init, { signal, timeoutMs }),
          call.isList === true,
        );
      } catch (error) {
        if (attempts > maxRetries || !passesBy(error)) throw error;
        const waitMs = waitBeforeRetry(call, error, { attempts, waitedMs, maxRetryWaitMs });
        if (waitMs === null) throw error;
        onRetry?.({ error, failures: attempts, waitMs });
        await wait(waitMs, signal);
        waitedMs += waitMs;
      }
    }
  };
}

const withKey = async (call: Call): Promise<Call> => ({
  ...call,
  idempotencyKey: call.idempotencyKey ?? (await randomKey()),
});

function urlOf(call: Call, baseUrl: string): URL {
  const { path, part, query = {} } = call;
  const record = 'id' in call ? `/${checkedId(call.id)}${part ? `/${part}` : ''}` : '';
  const url = new URL(`${baseUrl}/api/v1${path}${record}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

/** An id that a visitor has typed, for example `../customers/3`, must not become another request. @throws FrontdeskError */
function checkedId(id: unknown): string {
  if (/^[1-9]\d{0,15}$/.test(String(id))) return String(id);
  throw new FrontdeskError('An id must be a positive whole number.');
}

/** @throws FrontdeskError on what no header can hold: fetch would refuse it like a broken connection */
function headerValue(name: string, value: string): string {
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new FrontdeskError(`${name} must be visible ASCII characters.`);
}

function initOf({ method, body, idempotencyKey, ifMatch }: Call, apiKey: string): RequestInit {
  return {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json',
      ...(isPage() ? {} : { 'user-agent': `frontdesk-client/${VERSION}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && {
        'idempotency-key': headerValue('idempotencyKey', idempotencyKey),
      }),
      ...(ifMatch !== undefined && { 'if-match': headerValue('ifMatch', ifMatch) }),
    },
    ...(body && { body: JSON.stringify(body) }),
    // The API redirects nowhere: a key follows no redirect either.
    redirect: 'error',
  };
}

/** A page's own name stays what the browser says. */
const isPage = () => 'document' in globalThis;
