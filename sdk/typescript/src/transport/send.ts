import { randomKey } from '../crypto.ts';
import { VERSION } from '../version.ts';
import { type Answer, readAnswer } from './answer.ts';
import { attempt, wait } from './attempt.ts';
import type { Call } from './call.ts';
import { waitBeforeRetry } from './retry.ts';
import type { Settings } from './settings.ts';

export type Send = <Data>(call: Call) => Promise<Answer<Data>>;

/** Sends calls, each as often as it may be and until one attempt succeeds. */
export function createSend(settings: Settings): Send {
  return async <Data>(given: Call) => {
    const call = given.method === 'POST' ? await withKey(given) : given;
    const { signal, timeoutMs = settings.timeoutMs, maxRetries = settings.maxRetries } = call.options ?? {};
    const init = initOf(call, settings.apiKey);
    const url = urlOf(call, settings.baseUrl);
    let waitedMs = 0;
    for (let attempts = 1; ; attempts += 1) {
      try {
        return readAnswer<Data>(await attempt(settings.fetch, url, init, { signal, timeoutMs }));
      } catch (error) {
        const waitMs = attempts > maxRetries ? null : waitBeforeRetry(call, error, { attempts, waitedMs });
        if (waitMs === null) throw error;
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

function urlOf({ path, query = {} }: Call, baseUrl: string): URL {
  const url = new URL(`${baseUrl}/api/v1${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function initOf({ method, body, idempotencyKey, ifMatch }: Call, apiKey: string): RequestInit {
  return {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json',
      ...(isPage() ? {} : { 'user-agent': `frontdesk-client/${VERSION}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    },
    ...(body && { body: JSON.stringify(body) }),
    // The API redirects nowhere: a key follows no redirect either.
    redirect: 'error',
  };
}

/** A page's own name stays what the browser says. */
const isPage = () => 'document' in globalThis;
