/** A client that sends a request, or only its head, more slowly than this is no client of a JSON API. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** What the body of a request may have, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** What the head of a client's request may have at the gateway, in bytes: as much as Node takes where nobody says otherwise. */
export const MAX_CLIENT_HEADER_BYTES = 16 * 1024;
/** Half as much again behind the gateway: what it adds to a request fits in too. */
const MAX_HEADER_BYTES = 1.5 * MAX_CLIENT_HEADER_BYTES;
/** Requests of one connection that are in flight at once. Clients that pipeline at all do it with a handful. */
export const MOST_IN_FLIGHT = 100;

/** How long a client may take to send the head of a request, and all of it; and how large the head may be. */
export interface SendingLimits {
  headersTimeoutMs?: number | undefined;
  requestTimeoutMs?: number | undefined;
  maxHeaderBytes?: number | undefined;
}

/** How each of our servers treats its clients, in Node's words. What is wrong with a `Host` is ours to say. */
export function serverLimits(limits: SendingLimits = {}) {
  const {
    headersTimeoutMs = HEADERS_TIMEOUT_MS,
    requestTimeoutMs = REQUEST_TIMEOUT_MS,
    maxHeaderBytes = MAX_HEADER_BYTES,
  } = limits;
  return {
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    // Without any traffic: a client that reads no answer is cut off at last. One that sends too slowly has had its 408 by then.
    connectionTimeout: requestTimeoutMs + headersTimeoutMs,
    connectionsCheckingInterval: Math.ceil(headersTimeoutMs / 3),
    maxHeaderSize: maxHeaderBytes,
    requireHostHeader: false,
  };
}
