import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { unescape as decode } from 'node:querystring';
import { MIMEType } from 'node:util';
import { AppError, invalid } from './errors.ts';

/** ASCII is UTF-8 as well; some senders leave out the hyphen. */
const UTF8_NAMES = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;
const PERCENT_ESCAPES = /%([0-9a-fA-F]{2})/g;
/** What may stand for bytes beyond ASCII. */
const BEYOND_ASCII = /%[89a-fA-F]|[\x80-\xff]/;

const NOT_UTF8 = 'The request body is not valid UTF-8.';
const UNPAIRED =
  'The request body has half of a surrogate pair, such as "\\ud800", which stands for no character.';
const CODED = 'The request body must come without a Content-Encoding.';
const OTHER_CHARSET = 'The request body must be in UTF-8, and its Content-Type must name no other charset.';

/** Why a body can't be read as text: UTF-8 is the only form of it. Null where it can. */
export function bodyRefusal(headers: IncomingHttpHeaders, body: Buffer): AppError | null {
  if (contentCodingOf(headers['content-encoding']) !== null) {
    // RFC 9110, 15.5.16: the header says which codings would have been accepted.
    return new AppError('unsupported_media_type', CODED, { headers: { 'accept-encoding': 'identity' } });
  }
  if (otherCharsetOf(headers['content-type']) !== null)
    return new AppError('unsupported_media_type', OTHER_CHARSET);
  return isUtf8(body) ? null : new AppError('invalid_json', NOT_UTF8);
}

/** Why what a JSON text was parsed into can't be kept: escapes can make texts of it that UTF-8 can't hold. Null where it can. */
export const unpairedRefusal = (json: string, value: unknown): AppError | null =>
  SURROGATE_ESCAPE.test(json) && !isWellFormed(value) ? new AppError('invalid_json', UNPAIRED) : null;

/** The same of a form, whose percent-escapes stand for bytes. */
export const formRefusal = (headers: IncomingHttpHeaders, body: Buffer): AppError | null =>
  bodyRefusal(headers, body) ??
  (isUtf8Form(body.toString('latin1')) ? null : new AppError('invalid_json', NOT_UTF8));

/** What the bytes of a body are coded by, as its header says; null for nothing. */
export function contentCodingOf(contentEncoding: string | undefined): string | null {
  const codings = (contentEncoding ?? '').split(',').map((coding) => coding.trim().toLowerCase());
  return codings.find((coding) => coding !== '' && coding !== 'identity') ?? null;
}

/** The charset that a content type names; null where it names none, or UTF-8. */
export function otherCharsetOf(contentType: string | undefined): string | null {
  if (contentType === undefined || !/charset/i.test(contentType)) return null;
  const charset = charsetOf(contentType)?.trim().toLowerCase();
  return charset === undefined || charset === '' || UTF8_NAMES.has(charset) ? null : charset;
}

function charsetOf(contentType: string): string | null {
  try {
    return new MIMEType(contentType).params.get('charset');
  } catch {
    return null;
  }
}

/** Whether all names and texts of a JSON value are Unicode. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  return Object.entries(value).every(([name, inner]) => name.isWellFormed() && isWellFormed(inner));
}

/** Whether a form or a query, each byte a character (latin1), is UTF-8, and what its percent-escapes stand for too. */
export function isUtf8Form(text: string): boolean {
  if (!BEYOND_ASCII.test(text)) return true;
  const unescaped = text.replace(PERCENT_ESCAPES, (_escape, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return isUtf8(Buffer.from(unescaped, 'latin1'));
}

/** Why these fields of an address's query can't be read: what they stand for is not UTF-8. Null where they can. */
export function queryRefusal(url: string, fields: readonly string[]): AppError | null {
  if (!BEYOND_ASCII.test(url)) return null;
  const pairs = url.slice(url.indexOf('?') + 1).split('&');
  const names = pairs.filter((pair) => !isUtf8Form(pair)).map((pair) => decode(pair.split('=', 1)[0] ?? ''));
  const faults = fields.filter((field) => names.includes(field));
  if (faults.length === 0) return null;
  return invalid(
    Object.fromEntries(faults.map((name) => [name, [`The ${name} field must be percent-encoded UTF-8.`]])),
  );
}
