import type { Deprecation, Operation } from '@frontdesk/contracts';

/** The headers of RFC 9745, RFC 8594 and RFC 8288 that answers of a deprecated operation carry. */
type DeprecationHeaders = Record<'deprecation' | 'sunset' | 'link', string>;

/** The headers that the answer to a method and path gets, if it is a deprecated operation's. */
export type DeprecationOf = (method: string, path: string) => DeprecationHeaders | undefined;

const hasParameter = (path: string) => path.includes('{');

/** Finds the deprecated operations; null if there are none: then requests need no look-up. */
export function knowDeprecations(operations: readonly Operation[]): DeprecationOf | null {
  const deprecated = operations.flatMap(({ method, path, deprecated: promise }) =>
    promise ? [{ method, path, pattern: patternOf(path), headers: headersOf(promise) }] : [],
  );
  if (deprecated.length === 0) return null;
  // A literal path is never one with a parameter: /appointments/slots is no appointment.
  const literal = new Set(operations.map(({ path }) => path).filter((path) => !hasParameter(path)));
  return (method, path) => {
    const asked = method === 'HEAD' ? 'GET' : method;
    const isLiteral = literal.has(path);
    return deprecated.find(
      (one) => one.method === asked && (isLiteral ? one.path === path : one.pattern.test(path)),
    )?.headers;
  };
}

function patternOf(path: string): RegExp {
  const parts = path.split('/').map((part) => (hasParameter(part) ? '[^/]+' : RegExp.escape(part)));
  return new RegExp(`^${parts.join('/')}$`);
}

const headersOf = ({ since, sunset, link }: Deprecation): DeprecationHeaders => ({
  deprecation: `@${Date.parse(since) / 1_000}`,
  sunset: new Date(sunset).toUTCString(),
  link: `<${link}>; rel="deprecation"`,
});
