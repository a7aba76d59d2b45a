import type { Deprecation, Operation } from '@frontdesk/contracts';

/** What answers of a deprecated operation carry: RFC 9745, RFC 8594, RFC 8288. */
type DeprecationHeaders = Record<'deprecation' | 'sunset' | 'link', string>;

/** The headers that the answer to a method and path gets, if it is a deprecated operation's. */
export type DeprecationOf = (method: string, path: string) => DeprecationHeaders | undefined;

const hasParameter = (path: string) => path.includes('{');

/** Knows the deprecated ones among all operations; null if there are none, so that no request needs to ask. */
export function knowDeprecations(operations: readonly Operation[]): DeprecationOf | null {
  const deprecated = operations.flatMap(({ method, path, deprecated: promise }) =>
    promise ? [{ method, path, pattern: patternOf(path), headers: headersOf(promise) }] : [],
  );
  if (deprecated.length === 0) return null;
  // Never one with a parameter: /appointments/slots is no appointment.
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
