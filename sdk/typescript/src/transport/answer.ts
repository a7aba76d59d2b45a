import type { ApiAnswer, RateLimit } from '../api-promise.ts';
import { type ApiError, apiErrorOf } from '../errors.ts';
import type { FieldErrors, PageMeta } from '../types.ts';
import { retryAfterMsOf } from './retry-after.ts';

/** An answer before it is read. */
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

/** The answer's data: a list, or an object. @throws ApiError */
export function readAnswer<Data>({ status, headers, text }: RawAnswer, isList: boolean): Answer<Data> {
  const envelope = envelopeOf(text);
  if (status < 200 || status > 299 || envelope?.success !== true)
    throw failureOf({ status, headers }, envelope);
  if (isList ? !Array.isArray(envelope.data) : !isObject(envelope.data)) throw failureOf({ status, headers });
  return {
    data: envelope.data as Data,
    meta: isObject(envelope.meta) ? envelope.meta : undefined,
    status,
    headers,
    requestId: headers.get('x-request-id'),
    etag: headers.get('etag'),
    rateLimit: rateLimitOf(headers),
    isReplayed: headers.get('idempotent-replayed') === 'true',
  };
}

/** The error of an answer; without an envelope, or with one that holds other types than Frontdesk's, an `UnexpectedAnswerError`. */
export function failureOf({ status, headers }: Omit<RawAnswer, 'text'>, envelope?: Envelope): ApiError {
  const { code, message, errors, request_id, data } = envelope ?? {};
  return apiErrorOf({
    code: textOr('unexpected_answer', code),
    status,
    message: textOr(`An answer that is not Frontdesk's came, with status ${status}.`, message),
    errors: isObject(errors) ? errors : {},
    requestId: textOr(headers.get('x-request-id'), request_id),
    data,
    retryAfterMs: retryAfterMsOf(headers),
    headers,
  });
}

const isObject = <Value>(value: Value | null | undefined): value is Value =>
  typeof value === 'object' && value !== null;
const textOr = <Other>(other: Other, value: unknown): string | Other =>
  typeof value === 'string' ? value : other;

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
