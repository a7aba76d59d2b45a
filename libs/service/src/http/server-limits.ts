import { MAX_HEAD_BYTES } from '@frontdesk/contracts';

/** A client of a JSON API sends the head of a request, and all of it, faster than this. */
export const HEADERS_TIMEOUT_MS = 15_000;
export const REQUEST_TIMEOUT_MS = 60_000;
/** Behind the gateway a head may be half as large again, as the gateway adds headers of its own. */
const MAX_HEADER_BYTES = 1.5 * MAX_HEAD_BYTES;
/** Requests of one connection that are in flight at once. Clients that pipeline at all do it with a handful. */
export const MOST_IN_FLIGHT = 100;

/** How long a client may take to send the head of a request, and all of it; and how large the head may be. */
export interface SendingLimits {
  headersTimeoutMs?: number | undefined;
  requestTimeoutMs?: number | undefined;
  maxHeaderBytes?: number | undefined;
}

/** Node's options for each of our servers. `http-rules.ts` checks the `Host`. */
export function serverLimits(limits: SendingLimits = {}) {
  const {
    headersTimeoutMs = HEADERS_TIMEOUT_MS,
    requestTimeoutMs = REQUEST_TIMEOUT_MS,
    maxHeaderBytes = MAX_HEADER_BYTES,
  } = limits;
  return {
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    // For a connection without any traffic: cuts off a client that reads no answer. One that sends too slowly gets its 408 before.
    connectionTimeout: requestTimeoutMs + headersTimeoutMs,
    connectionsCheckingInterval: Math.ceil(headersTimeoutMs / 3),
    maxHeaderSize: maxHeaderBytes,
    requireHostHeader: false,
  };
}
