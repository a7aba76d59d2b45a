import { createHmac, randomBytes } from 'node:crypto';
import { serviceKey, standardKey } from '../webhooks/signatures.ts';
import { WrongUse } from './exit-codes.ts';

const SECRET = /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const SECRET_BYTES = 32;

/** The given secret, or a new one of the same form. @throws WrongUse where the given one is no secret; the message leaves it out */
export const signingSecret = (given: string | undefined): { secret: string; isNewSecret: boolean } =>
  given
    ? { secret: checkedSecret(given), isNewSecret: false }
    : { secret: `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`, isNewSecret: true };

function checkedSecret(secret: string): string {
  if (SECRET.test(secret) && secret !== 'whsec_') return secret;
  throw new WrongUse(
    'The signing secret must be as the settings show it: whsec_ and base64. Without one, listen makes one up and prints it.',
  );
}

/** The headers that sign one attempt of a delivery. */
export function signatureHeaders(message: {
  id: string;
  body: Buffer;
  secret: string;
  at: Date;
}): Record<string, string> {
  const { id, body, secret, at } = message;
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const hmac = (key: Uint8Array, ...parts: (string | Buffer)[]) =>
    parts.reduce((digest, part) => digest.update(part), createHmac('sha256', key));
  return {
    'x-service-signature': `sha256=${hmac(serviceKey(secret), body).digest('hex')}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${hmac(standardKey(secret), `${id}.${timestamp}.`, body).digest('base64')}`,
  };
}
