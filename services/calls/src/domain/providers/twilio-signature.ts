import { createHash, createHmac } from 'node:crypto';
import type { RawMessage } from '../call-provider.ts';
import { isSame } from '../signatures.ts';

/** No message of Twilio's comes near; sorting many more would hold everything up. */
const MAX_PARAMETERS = 1_000;

export const isForm = ({ contentType }: RawMessage) =>
  /^application\/x-www-form-urlencoded\b/i.test(contentType.trim());

/**
 * X-Twilio-Signature: HMAC-SHA1 over the public URL, followed by a form's parameters in the order of their names. Any
 * other body is covered by its hash, which is a parameter of the URL. https://www.twilio.com/docs/usage/security
 */
export function isSignedByTwilio(message: RawMessage, authToken: string): boolean {
  const given = message.headers['x-twilio-signature'] ?? '';
  const parameters = signedParameters(message);
  if (parameters === null || authToken === '') return false;
  const matches = signedUrls(message.url).filter((url) =>
    isSame(given, createHmac('sha1', authToken).update(`${url}${parameters}`).digest('base64')),
  );
  return matches.length > 0;
}

/** What is signed beside the URL; null where nothing vouches for the body. */
function signedParameters(message: RawMessage): string | null {
  const bodyHash = queryOf(message.url).get('bodySHA256');
  if (bodyHash !== null) {
    const hash = createHash('sha256').update(message.body).digest('hex');
    return isSame(bodyHash.toLowerCase(), hash) ? '' : null;
  }
  if (!isForm(message)) return null;
  const text = new TextDecoder().decode(message.body);
  if (text.split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS) return null;
  const parameters = new URLSearchParams(text);
  // As Twilio's libraries do: each name once, the different values of a repeated one in order.
  return [...new Set(parameters.keys())]
    .sort()
    .flatMap((name) => [...new Set(parameters.getAll(name))].sort().map((value) => name + value))
    .join('');
}

const queryOf = (url: string) => new URLSearchParams(url.split('#')[0]?.split('?').slice(1).join('?') ?? '');

/** Twilio signs the standard port or leaves it out, whichever way the address is written: both are tried. */
function signedUrls(url: string): string[] {
  const [, scheme = '', host = '', port = '', rest = ''] =
    /^(https?:\/\/)(\[[^\]/?#]*\]|[^:/?#]*)(:\d*)?(.*)$/is.exec(url) ?? [];
  const standard = scheme.toLowerCase() === 'https://' ? ':443' : ':80';
  return scheme ? [`${scheme}${host}${rest}`, `${scheme}${host}${port || standard}${rest}`] : [url];
}
