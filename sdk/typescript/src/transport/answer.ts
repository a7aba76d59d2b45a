import type { ApiAnswer, RateLimit } from '../api-promise.ts';
import { type ApiError, apiErrorOf } from '../errors.ts';
import type { FieldErrors, PageMeta } from '../types.ts';
import { retryAfterMsOf } from './retry-after.ts';

/** As it came from the wire. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
}

export type Answer<Data> = ApiAnswer<Data> & { meta: PageMeta | undefined };

interface Envelope {
  success: boolean;
  data?: unknown;
  meta?: PageMeta;
  code?: string;
  message?: string;
  errors?: FieldErrors;
  request_id?: string;
}

/** The answer's data. @throws ApiError */
export function readAnswer<Data>({ status, headers, text }: RawAnswer): Answer<Data> {
  const envelope = envelopeOf(text);
  if (status < 200 || status > 299 || envelope?.success !== true)
    throw failureOf({ status, headers, text }, envelope);
  return {
    data: envelope.data as Data,
    meta: envelope.meta,
    status,
    headers,
    requestId: headers.get('x-request-id'),
    etag: headers.get('etag'),
    rateLimit: rateLimitOf(headers),
    isReplayed: headers.get('idempotent-replayed') === 'true',
  };
}

function failureOf({ status, headers }: RawAnswer, envelope: Envelope | undefined): ApiError {
  return apiErrorOf({
    code: envelope?.code ?? 'unexpected_answer',
    status,
    message: envelope?.message ?? `An answer that is not Frontdesk's came, with status ${status}.`,
    errors: envelope?.errors ?? {},
    requestId: envelope?.request_id ?? headers.get('x-request-id'),
    data: envelope?.data,
    retryAfterMs: retryAfterMsOf(headers),
    headers,
  });
}

function envelopeOf(text: string): Envelope | undefined {
  try {
    const value = JSON.parse(text) as Envelope | null;
    return typeof value?.success === 'boolean' ? value : undefined;
  } catch {
    return undefined;
  }
}

function rateLimitOf(headers: Headers): RateLimit | null {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    headers.get(`x-ratelimit-${name}`),
  );
  if (!limit || !remaining || !reset) return null;
  return { limit: Number(limit), remaining: Number(remaining), resetsAt: new Date(Number(reset) * 1_000) };
}
