import { createHmac, randomBytes } from 'node:crypto';
import { SECRET_PREFIX, SIGNATURE_HEADERS } from '@frontdesk/contracts';

const SECRET_BYTES = 32;

/** A new signing secret: `whsec_` and the base64 of 32 random bytes. */
export function generateSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * The signature headers of one attempt, over exactly the bytes sent. Two schemes side by side: the contract's own, keyed
 * with the whole secret string, and Standard Webhooks, keyed with the bytes that the secret encodes and covering the
 * id and the time of sending, so that a receiver can refuse a replay. See https://www.standardwebhooks.com.
 */
export function signatureHeaders(message: {
  id: string;
  body: Buffer;
  secret: string;
  /** The secret before, for as long as receivers may still know that one alone. */
  previousSecret: string | null;
  timestampSeconds: number;
}): Record<string, string> {
  const { id, body, secret, previousSecret, timestampSeconds } = message;
  const service = (key: string) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
  const standard = (key: string) => {
    const bytes = Buffer.from(key.slice(SECRET_PREFIX.length), 'base64');
    const signature = createHmac('sha256', bytes).update(`${id}.${timestampSeconds}.`).update(body);
    return `v1,${signature.digest('base64')}`;
  };
  return {
    [SIGNATURE_HEADERS.service]: service(secret),
    ...(previousSecret !== null && { [SIGNATURE_HEADERS.previous]: service(previousSecret) }),
    [SIGNATURE_HEADERS.id]: id,
    [SIGNATURE_HEADERS.timestamp]: String(timestampSeconds),
    [SIGNATURE_HEADERS.signature]: [secret, previousSecret]
      .flatMap((key) => key ?? [])
      .map(standard)
      .join(' '),
  };
}
