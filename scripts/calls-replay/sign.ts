import { createHash, createHmac, randomUUID } from 'node:crypto';
import {
  type CallProviderName,
  type CallSourceSettings,
  callSourceSettings,
  SECRET_PREFIX,
} from '@frontdesk/contracts';

export interface Unsigned {
  body: Buffer;
  contentType: string;
  /** The public address, as the provider was given it. */
  url: string;
}

export interface Signing {
  secret: string;
  at: Date;
  /** How a Vapi source is set up; the defaults where left out. */
  vapi?: CallSourceSettings['vapi'];
}

export interface SignedRequest extends Unsigned {
  headers: Record<string, string>;
}

/** Signs a message as its provider would; an address may gain a parameter by it. */
export function sign(provider: CallProviderName, message: Unsigned, signing: Signing): SignedRequest {
  const { headers, url = message.url } = SIGNERS[provider](message, signing);
  return { ...message, url, headers: { 'content-type': message.contentType, ...headers } };
}

type Signer = (message: Unsigned, signing: Signing) => { headers: Record<string, string>; url?: string };

const SIGNERS: Readonly<Record<CallProviderName, Signer>> = {
  generic: ({ body }, { secret, at }) => {
    const [id, timestamp] = [`msg_${randomUUID()}`, String(Math.floor(at.getTime() / 1_000))];
    const key = Buffer.from(secret.replace(SECRET_PREFIX, ''), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
    return {
      headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
    };
  },

  vapi: ({ body }, { secret, at, vapi = callSourceSettings.parse({}).vapi }) => {
    if (vapi.scheme === 'bearer') return { headers: { authorization: `Bearer ${secret}` } };
    const timestamp = String(at.getTime());
    const payload = vapi.payload.replaceAll(/\{(body|timestamp)\}/g, (_all, name) =>
      name === 'body' ? body.toString() : timestamp,
    );
    const signature = createHmac('sha256', secret).update(payload).digest('hex');
    return {
      headers: {
        [vapi.signature_header]: signature,
        ...(vapi.timestamp_header && { [vapi.timestamp_header]: timestamp }),
      },
    };
  },

  retell: ({ body }, { secret, at }) => {
    const digest = createHmac('sha256', secret).update(`${body}${at.getTime()}`).digest('hex');
    return { headers: { 'x-retell-signature': `v=${at.getTime()},d=${digest}` } };
  },

  twilio: (message, { secret }) => {
    const url = isForm(message) ? message.url : withBodyHash(message);
    const parameters = [...new URLSearchParams(isForm(message) ? message.body.toString() : '')].sort(byName);
    const text = url + parameters.map(([name, value]) => name + value).join('');
    return {
      url,
      headers: { 'x-twilio-signature': createHmac('sha1', secret).update(text).digest('base64') },
    };
  },
};

const isForm = ({ contentType }: Unsigned) => contentType === 'application/x-www-form-urlencoded';

const byName = ([a]: [string, string], [b]: [string, string]) => (a < b ? -1 : 1);

function withBodyHash({ url, body }: Unsigned): string {
  const hash = createHash('sha256').update(body).digest('hex');
  return `${url}${url.includes('?') ? '&' : '?'}bodySHA256=${hash}`;
}
