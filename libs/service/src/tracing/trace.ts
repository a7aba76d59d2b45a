import { randomFillSync } from 'node:crypto';

/** W3C Trace Context: version, trace id, parent id, flags; what a later version adds is none of ours. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

/** The request's own `traceparent` where it is one; else the beginning of a trace. */
export function traceparentOf(sent: string | string[] | undefined): string {
  if (typeof sent === 'string' && sent.length <= 256 && TRACEPARENT.test(sent)) return sent;
  const ids = randomHex();
  return `00-${ids.slice(0, 32)}-${ids.slice(32)}-00`;
}

/** Of a trace id and a parent id together. */
const ID_BYTES = 24;
const random = Buffer.alloc(128 * ID_BYTES);
let used = random.length;

/** Random bytes are fetched for many at once: each call for them costs more than all else here. */
function randomHex(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += ID_BYTES;
  return random.toString('hex', used - ID_BYTES, used);
}

export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);
