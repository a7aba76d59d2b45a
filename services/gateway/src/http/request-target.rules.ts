import { unescape as decode } from 'node:querystring';

export const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
/** All methods that a route can be made for: one that accepts some of them refuses the others. */
export const ANY_METHOD = [...METHODS, 'TRACE'];

const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** The path of a request target, still encoded. */
export function pathOf(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? target : target.slice(0, at);
}

/** The path without the slashes at its end. A regular expression would take quadratic time. */
export function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** What follows the `?` of a request target, or nothing. */
export function queryOf(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? '' : target.slice(at + 1);
}

/**
 * The target as a path that can be decoded, with its query. Some clients behind a proxy of their own name the whole
 * address: `GET http://host/api/v1/customers`; a server has to accept that (RFC 9112, 3.2.2), and only the path counts.
 * Where a path is not properly encoded, its `%` stand for themselves. A fragment has no place here and is left out.
 */
export function originForm(sent: string): string {
  const target = withoutFragment(sent);
  const rooted = target.startsWith('/') ? target : withSlash(target.replace(ORIGIN, ''));
  const path = pathOf(rooted);
  if (!path.includes('%') || isDecodable(path)) return rooted;
  return path.replaceAll('%', '%25') + rooted.slice(path.length);
}

function withoutFragment(target: string): string {
  const at = target.indexOf('#');
  return at < 0 ? target : target.slice(0, at);
}

const withSlash = (path: string) => (path.startsWith('/') ? path : `/${path}`);

function isDecodable(path: string): boolean {
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether the path holds a `.` or `..` step, plain or encoded, or one that begins or ends with two dots, or a plain `\`. No path of
 * the API does: the proxy refuses such paths as malformed requests, or takes the `\` for a `/`.
 */
export function isMisleading(path: string): boolean {
  if (path.includes('\\')) return true;
  if (!/[.%]/.test(path)) return false;
  return decode(path)
    .split(/[/\\]/)
    .some((step) => step === '.' || step.startsWith('..') || step.endsWith('..'));
}
