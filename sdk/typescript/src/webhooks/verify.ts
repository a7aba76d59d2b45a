import { FrontdeskError } from '../errors.ts';
import type { WebhookEvent } from './events.ts';
import { headerOf, type WebhookHeaders } from './headers.ts';
import {
  type Bytes,
  isSignedByAny,
  serviceKey,
  serviceSignature,
  standardKey,
  standardSignatures,
} from './signatures.ts';

const TOLERANCE_SECONDS = 300;
const utf8 = new TextEncoder();

export type WebhookFault =
  | 'body_not_raw'
  | 'secret_invalid'
  | 'header_missing'
  | 'timestamp_invalid'
  | 'timestamp_too_old'
  | 'timestamp_in_future'
  | 'signature_wrong'
  | 'body_not_json';

/** The request is not from Frontdesk, or can't be told to be. Answer it with 400. */
export class WebhookVerificationError extends FrontdeskError {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookFault;

  constructor(code: WebhookFault, message: string) {
    super(message);
    this.code = code;
  }
}

export interface WebhookRequest {
  /** The body as it came, before anything parsed it. */
  body: string | Uint8Array | ArrayBuffer;
  headers: WebhookHeaders;
  /** The endpoint's signing secret, `whsec_…`, or several while you change over from one to the next. */
  secret: string | readonly string[];
  /** How far the time of sending may be from now; 300 by default. */
  toleranceSeconds?: number;
  /**
   * `standard` by default: the `webhook-*` headers, which also cover id and time, so that nobody can send you a recorded request
   * later. `service`: `X-Service-Signature`, which covers the body alone. `both`: each of the two must fit.
   */
  scheme?: 'standard' | 'service' | 'both';
}

/** The event in a request that Frontdesk has signed. @throws WebhookVerificationError */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const { headers, scheme = 'standard' } = request;
  const body = bytesOf(request.body);
  const secrets = [request.secret].flat();
  if (secrets.length === 0 || !secrets.every((secret) => typeof secret === 'string' && secret !== ''))
    throw fault('secret_invalid', 'secret must be the signing secret of the endpoint.');
  if (!['standard', 'service', 'both'].includes(scheme))
    throw new FrontdeskError("scheme must be 'standard', 'service' or 'both'.");
  const toleranceSeconds = request.toleranceSeconds ?? TOLERANCE_SECONDS;
  const isGenuine =
    (scheme === 'service' || (await isStandard(body, headers, secrets, toleranceSeconds))) &&
    (scheme === 'standard' || (await isService(body, headers, secrets)));
  if (!isGenuine)
    throw fault(
      'signature_wrong',
      'The signature fits neither this body nor this secret, or the body was changed.',
    );
  return eventOf(body);
}

async function isStandard(
  body: Bytes,
  headers: WebhookHeaders,
  secrets: readonly string[],
  toleranceSeconds: number,
): Promise<boolean> {
  const id = needed(headers, 'webhook-id');
  const timestamp = needed(headers, 'webhook-timestamp');
  const signatures = standardSignatures(needed(headers, 'webhook-signature'));
  const keys = secrets.map(standardKeyOf);
  checkTime(timestamp, toleranceSeconds);
  return isSignedByAny(joined(utf8.encode(`${id}.${timestamp}.`), body), signatures, keys);
}

/** While a secret is being replaced, a second header holds the signature by the old one. */
function isService(body: Bytes, headers: WebhookHeaders, secrets: readonly string[]): Promise<boolean> {
  const given = [
    needed(headers, 'x-service-signature'),
    headerOf(headers, 'x-service-signature-previous') ?? '',
  ];
  return isSignedByAny(body, given.flatMap(serviceSignature), secrets.map(serviceKey));
}

function checkTime(timestamp: string, toleranceSeconds: number): void {
  if (!/^\d{1,15}$/.test(timestamp))
    throw fault('timestamp_invalid', 'webhook-timestamp is not a number of seconds.');
  const ageSeconds = Date.now() / 1_000 - Number(timestamp);
  // Written so that a tolerance that is no number accepts nothing.
  if (!(ageSeconds <= toleranceSeconds))
    throw fault('timestamp_too_old', 'The request was sent too long ago; it may be a recorded one.');
  if (!(ageSeconds >= -toleranceSeconds))
    throw fault('timestamp_in_future', 'The request was sent in the future; is the clock right?');
}

function needed(headers: WebhookHeaders, name: string): string {
  const value = headerOf(headers, name);
  if (!value) throw fault('header_missing', `The header ${name} is missing.`);
  return value;
}

function standardKeyOf(secret: string): Bytes {
  try {
    return standardKey(secret);
  } catch {
    throw fault('secret_invalid', 'secret must be the signing secret of the endpoint, as it was shown.');
  }
}

function bytesOf(body: unknown): Bytes {
  if (typeof body === 'string') return utf8.encode(body);
  if (ArrayBuffer.isView(body))
    return new Uint8Array(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
  // `instanceof` would miss a buffer of another realm.
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]')
    return new Uint8Array(body as ArrayBuffer);
  throw fault(
    'body_not_raw',
    'body must be the raw body, as text or bytes: verify it before anything parses it.',
  );
}

function joined(head: Bytes, tail: Bytes): Bytes {
  const all = new Uint8Array(head.length + tail.length);
  all.set(head);
  all.set(tail, head.length);
  return all;
}

function eventOf(body: Bytes): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  } catch {
    throw fault('body_not_json', 'The body is not JSON.');
  }
}

const fault = (code: WebhookFault, message: string) => new WebhookVerificationError(code, message);
