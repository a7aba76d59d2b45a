import { unescape as decode } from 'node:querystring';
import { isWellFormedApiKey } from '@frontdesk/contracts';

const QUERY_NAME = 'api_key';
const KEY_PREFIX = 'fd_';
const BEARER = /^bearer +(\S+) *$/i;

/**
 * The key that a request carries in any of its three places, or null where there is none that could be valid:
 * missing, malformed (seen by its checksum, without a look-up), or two different ones in one request.
 * @param rawHeaders name, value, name, value… as they came, so that a repeated header is seen too
 * @param query what follows the `?`, still encoded
 */
export function findApiKey(rawHeaders: readonly string[], query: string): string | null {
  const bearers: string[] = [];
  const keys = queryKeys(query);
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const value = rawHeaders[i + 1] as string;
    if (name.length === 9 && name.toLowerCase() === 'x-api-key') {
      if (value.trim() !== '') keys.push(value.trim());
    } else if (name.length === 13 && name.toLowerCase() === 'authorization') {
      const token = BEARER.exec(value.trim())?.[1];
      if (token !== undefined) bearers.push(token);
    }
  }
  // Beside a key in another place, an Authorization header without our prefix is for another server on the way.
  for (const token of bearers) if (keys.length === 0 || token.startsWith(KEY_PREFIX)) keys.push(token);

  const [key] = keys;
  if (key === undefined || keys.some((other) => other !== key)) return null;
  return isWellFormedApiKey(key) ? key : null;
}

/** The query without any `api_key`, however its name is encoded. */
export const withoutApiKey = (query: string): string =>
  withoutPairs(query, (pair) => nameOf(pair) === QUERY_NAME);

/** The query without Frontdesk's keys. Another `api_key` stays: the provider's signature may cover it. */
export const withoutFrontdeskKey = (query: string): string =>
  withoutPairs(query, (pair) => nameOf(pair) === QUERY_NAME && textOf(pair).startsWith(KEY_PREFIX));

/** Whether an `Authorization` header holds a key of Frontdesk, good or bad. */
export const bearsFrontdeskKey = (authorization: string): boolean =>
  BEARER.exec(authorization.trim())?.[1]?.startsWith(KEY_PREFIX) ?? false;

function queryKeys(query: string): string[] {
  if (!mayHoldKey(query)) return [];
  return query
    .split('&')
    .filter((pair) => nameOf(pair) === QUERY_NAME)
    .map(textOf)
    .filter((value) => value !== '');
}

/** Most queries hold no key: this spares them the decoding. */
const mayHoldKey = (query: string) => query.includes(QUERY_NAME) || query.includes('%');

const nameOf = (pair: string) => {
  const end = pair.indexOf('=');
  return decode(end < 0 ? pair : pair.slice(0, end));
};

const textOf = (pair: string) => decode(pair.slice(pair.indexOf('=') + 1));

function withoutPairs(query: string, isDropped: (pair: string) => boolean): string {
  if (!mayHoldKey(query)) return query;
  return query
    .split('&')
    .filter((pair) => !isDropped(pair))
    .join('&');
}
