import { createHmac } from 'node:crypto';
import type { CallSourceSettings } from '@frontdesk/contracts';
import type { RawMessage, SignatureFault } from './call-provider.rules.ts';
import { readInstant } from './reading.rules.ts';
import { isFresh, isSame } from './signatures.rules.ts';

const BEARER = /^Bearer +(.+)$/i;

/** The credential of the kind Bearer Token, or its header `X-Vapi-Secret`. */
export function bearsSecret({ headers }: RawMessage, secret: string): boolean {
  const [, token = ''] = BEARER.exec(headers.authorization ?? '') ?? [];
  const [hasToken, hasHeader] = [isSame(token, secret), isSame(headers['x-vapi-secret'] ?? '', secret)];
  return secret !== '' && (hasToken || hasHeader);
}

/** Vapi's HMAC credential: SHA-256, hex or base64, with or without the prefix `sha256=`. */
export function isSignedByVapi(
  message: RawMessage,
  secret: string,
  settings: CallSourceSettings['vapi'],
  now: Date,
): boolean {
  const given = (message.headers[settings.signature_header.toLowerCase()] ?? '').replace(/^sha256=/i, '');
  const timestamp = message.headers[settings.timestamp_header.toLowerCase()] ?? '';
  const coversTime = settings.payload.includes('{timestamp}');
  // A signature that doesn't cover the body vouches for nothing.
  if (!settings.payload.includes('{body}') || secret === '') return false;
  if (coversTime && !isFresh(millisecondsOf(timestamp), now)) return false;
  const [before = '', ...after] = settings.payload.split('{body}');
  const signature = createHmac('sha256', secret).update(withTime(before, timestamp));
  for (const part of after) signature.update(message.body).update(withTime(part, timestamp));
  const expected = signature.digest();
  const [isHex, isBase64] = [
    isSame(given.toLowerCase(), expected.toString('hex')),
    isSame(given, expected.toString('base64')),
  ];
  return isHex || isBase64;
}

/** What is wrong with a message that bears neither the secret nor a signature by it. */
export function faultOfVapi(
  { headers }: RawMessage,
  settings: CallSourceSettings['vapi'],
  now: Date,
): SignatureFault {
  const { scheme, signature_header, timestamp_header, payload } = settings;
  if (scheme === 'bearer') {
    const { authorization = '' } = headers;
    if (headers['x-vapi-secret'] || BEARER.test(authorization)) return 'signature_wrong';
    return authorization === '' ? 'signature_missing' : 'signature_malformed';
  }
  const timestamp = headers[timestamp_header.toLowerCase()] ?? '';
  const coversTime = payload.includes('{timestamp}');
  if (!headers[signature_header.toLowerCase()] || (coversTime && timestamp === ''))
    return 'signature_missing';
  if (!coversTime) return 'signature_wrong';
  const milliseconds = millisecondsOf(timestamp);
  if (Number.isNaN(milliseconds)) return 'signature_malformed';
  return isFresh(milliseconds, now) ? 'signature_wrong' : 'signature_expired';
}

const withTime = (text: string, timestamp: string) => text.replaceAll('{timestamp}', () => timestamp);

/** Seconds or milliseconds since 1970, or a date. */
function millisecondsOf(timestamp: string): number {
  if (/^\d{1,11}$/.test(timestamp)) return Number(timestamp) * 1_000;
  if (/^\d{12,15}$/.test(timestamp)) return Number(timestamp);
  return readInstant(timestamp)?.getTime() ?? Number.NaN;
}
