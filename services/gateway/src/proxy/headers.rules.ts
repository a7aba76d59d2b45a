import type { IncomingHttpHeaders } from 'node:http';
import { IDENTITY_HEADER } from '@frontdesk/contracts';
import { bearsFrontdeskKey } from '../keys/credentials.rules.ts';

/** About one connection, not about the message (RFC 9110, 7.6.1): never forwarded in either direction. */
const HOP_BY_HOP = [
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Backends get no keys and no sessions, and do not believe what a client says about its address. */
const NOT_FOR_BACKENDS = ['cookie', 'forwarded', 'host', 'x-api-key', 'x-real-ip'];

const INTERNAL_PREFIXES = ['x-frontdesk-', 'x-forwarded-', 'x-internal-'];

const NEVER_UPSTREAM = new Set([...HOP_BY_HOP, ...NOT_FOR_BACKENDS]);
const NEVER_WITH_IDENTITY = NEVER_UPSTREAM.union(new Set(['authorization']));
const NEVER_DOWNSTREAM = new Set(HOP_BY_HOP);
/** A GET or HEAD is sent on without its body, so nothing may announce one. */
const OF_A_BODY = new Set(['content-length', 'content-type', 'content-encoding']);

const isInternal = (name: string) =>
  name.startsWith('x-') && INTERNAL_PREFIXES.some((prefix) => name.startsWith(prefix));

/** What the gateway adds to every request. */
interface Added {
  requestId: string;
  traceparent: string;
  bodyBytes?: number | undefined;
}

/** The headers that a backend gets: the client's without those that a client may not set, and the signed identity. */
export function upstreamHeaders(
  headers: IncomingHttpHeaders,
  add: Added & { method: string; identity: string },
): IncomingHttpHeaders {
  const hasBody = add.method !== 'GET' && add.method !== 'HEAD';
  const isKept = (name: string) => !NEVER_WITH_IDENTITY.has(name) && (hasBody || !OF_A_BODY.has(name));
  const kept = forwarded(headers, isKept, add);
  kept[IDENTITY_HEADER] = add.identity;
  return kept;
}

/**
 * The headers of a provider's message: also its `Authorization`, with which some providers sign, but never a Frontdesk
 * key in there. Such a request has no identity: the backend checks its signature.
 */
export function messageHeaders(headers: IncomingHttpHeaders, add: Added): IncomingHttpHeaders {
  const isOurKey = bearsFrontdeskKey(headers.authorization ?? '');
  const isKept = (name: string) => !NEVER_UPSTREAM.has(name) && !(isOurKey && name === 'authorization');
  return forwarded(headers, isKept, add);
}

function forwarded(
  headers: IncomingHttpHeaders,
  isKept: (name: string) => boolean,
  { requestId, traceparent, bodyBytes }: Added,
): IncomingHttpHeaders {
  const kept: IncomingHttpHeaders = {};
  const ofThisHop = namedInConnection(headers.connection);
  for (const name in headers) {
    if (isKept(name) && !isInternal(name) && !ofThisHop?.has(name)) kept[name] = headers[name];
  }
  // The body goes on in one piece, also if the client sent it in chunks.
  if (bodyBytes !== undefined) kept['content-length'] = String(bodyBytes);
  kept['x-request-id'] = requestId;
  // `tracestate` belongs to the client's trace, and not to a new one.
  if (headers.traceparent !== traceparent) delete kept.tracestate;
  kept.traceparent = traceparent;
  return kept;
}

/** The headers that a peer's `Connection` names as meant for this connection alone; null if there are none. */
function namedInConnection(connection: string | undefined): Set<string> | null {
  if (connection === undefined || /^(?:keep-alive|close)$/i.test(connection)) return null;
  return new Set(
    connection
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  );
}

/** The headers of a backend's answer that the client gets. */
export function downstreamHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const kept: IncomingHttpHeaders = {};
  const ofThatHop = namedInConnection(headers.connection);
  for (const name in headers) {
    if (!NEVER_DOWNSTREAM.has(name) && !isInternal(name) && !ofThatHop?.has(name)) kept[name] = headers[name];
  }
  return kept;
}
