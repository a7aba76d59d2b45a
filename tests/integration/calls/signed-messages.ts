import { createHmac, randomUUID } from 'node:crypto';
import type { CallProviderName } from '@frontdesk/contracts';
import { Webhook } from 'standardwebhooks';

/** A message as a provider would send it. */
export interface SignedMessage {
  body: string | Buffer;
  headers: Record<string, string>;
}

interface Signing {
  secret: string;
  /** The address that it is sent to. */
  url: string;
  /** When it is signed. */
  at?: Date;
}

/** A message of Frontdesk's own schema, signed by a library that knows nothing of Frontdesk. */
export function genericMessage(call: object | string, { secret, at = new Date() }: Signing): SignedMessage {
  const body = typeof call === 'string' ? call : JSON.stringify(call);
  const id = `msg_${randomUUID()}`;
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    },
  };
}

export function vapiMessage(message: object | string, { secret }: Signing): SignedMessage {
  const body = typeof message === 'string' ? message : JSON.stringify({ message });
  return { body, headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` } };
}

export function retellMessage(message: object | string, { secret, at = new Date() }: Signing): SignedMessage {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  const digest = createHmac('sha256', secret).update(`${body}${at.getTime()}`).digest('hex');
  return {
    body,
    headers: { 'content-type': 'application/json', 'x-retell-signature': `v=${at.getTime()},d=${digest}` },
  };
}

export function twilioMessage(form: Record<string, string>, { secret, url }: Signing): SignedMessage {
  const names = Object.keys(form).toSorted();
  const signed = url + names.map((name) => name + form[name]).join('');
  return {
    body: new URLSearchParams(form).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': createHmac('sha1', secret).update(signed).digest('base64'),
    },
  };
}

/** A secret as the provider would give it; null where it is made here. */
export const PROVIDER_SECRETS: Record<CallProviderName, string | null> = {
  generic: null,
  vapi: null,
  retell: 'key_5a0c6e7b1f',
  twilio: '12345678901234567890123456789012',
};
