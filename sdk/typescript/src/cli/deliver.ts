import type { Payload } from './event-names.ts';
import { type Outcome, post } from './post.ts';
import type { Delivery } from './report.ts';
import { signatureHeaders } from './signing.ts';

/** The headers of every delivery, besides its signature. */
const HEADERS = { 'content-type': 'application/json', 'user-agent': 'Frontdesk-Webhooks/1' };

export type Deliver = (payload: Payload, cursor: string | null) => Promise<Delivery>;

/**
 * Sends events to the receiver as an endpoint's deliveries are sent, but once: the author of a receiver wants to see its failure, not
 * a second attempt. The function that it returns throws the reason of `signal`.
 */
export function createDeliver(options: {
  forward: URL | null;
  secret: string;
  signal: AbortSignal;
  timeoutMs: number;
}): Deliver {
  const { forward, secret, signal, timeoutMs } = options;
  const send = (url: URL, payload: Payload, at: Date): Promise<Outcome> => {
    const body = Buffer.from(JSON.stringify(payload));
    const signature = signatureHeaders({ id: payload.id, body, secret, at });
    return post(url, { ...HEADERS, ...signature }, body, { timeoutMs, signal });
  };
  return async (payload, cursor) => {
    const at = new Date();
    return { at, payload, cursor, outcome: forward && (await send(forward, payload, at)) };
  };
}
