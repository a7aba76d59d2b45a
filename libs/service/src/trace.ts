import { randomUUID } from 'node:crypto';

/** W3C Trace Context: version, trace id, parent id, flags; what a later version adds is none of ours. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

/** The request's own `traceparent` where it is one; else the beginning of a trace. */
export function traceparentOf(sent: string | string[] | undefined): string {
  if (typeof sent === 'string' && sent.length <= 256 && TRACEPARENT.test(sent)) return sent;
  const [trace, parent] = [randomUUID(), randomUUID()].map((id) => id.replaceAll('-', '')) as [
    string,
    string,
  ];
  // The first half of a random UUID has its version in it, so it is never all zeros.
  return `00-${trace}-${parent.slice(0, 16)}-00`;
}

export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);
