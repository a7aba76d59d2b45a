import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { unescape as decode } from 'node:querystring';
import { contentCodingOf, isUtf8Form, otherCharsetOf } from '@frontdesk/contracts';
import { AppError, invalid } from '../errors/app-error.ts';

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

const NOT_UTF8 = 'The request body is not valid UTF-8.';
const UNPAIRED =
  'The request body has half of a surrogate pair, such as "\\ud800", which stands for no character.';
const CODED = 'The request body must come without a Content-Encoding.';
const OTHER_CHARSET = 'The request body must be in UTF-8, and its Content-Type must name no other charset.';

/** The refusal of a body that is not plain text in UTF-8; null for one that is. */
export function bodyRefusal(headers: IncomingHttpHeaders, body: Buffer): AppError | null {
  if (contentCodingOf(headers['content-encoding']) !== null) {
    // RFC 9110, 15.5.16: the header says which codings would have been accepted.
    return new AppError('unsupported_media_type', CODED, { headers: { 'accept-encoding': 'identity' } });
  }
  if (otherCharsetOf(headers['content-type']) !== null)
    return new AppError('unsupported_media_type', OTHER_CHARSET);
  return isUtf8(body) ? null : new AppError('invalid_json', NOT_UTF8);
}

/** The refusal of JSON whose escapes make half of a surrogate pair, which UTF-8 can't hold; else null. */
export const unpairedRefusal = (json: string, value: unknown): AppError | null =>
  SURROGATE_ESCAPE.test(json) && !isWellFormed(value) ? new AppError('invalid_json', UNPAIRED) : null;

/** The refusal of a form that is not UTF-8, its percent-escapes included; else null. */
export const formRefusal = (headers: IncomingHttpHeaders, body: Buffer): AppError | null =>
  bodyRefusal(headers, body) ??
  (isUtf8Form(body.toString('latin1')) ? null : new AppError('invalid_json', NOT_UTF8));

/** Whether all names and texts of a JSON value are Unicode. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  return Object.entries(value).every(([name, inner]) => name.isWellFormed() && isWellFormed(inner));
}

/** The refusal of a query in which one of these fields is not UTF-8; else null. */
export function queryRefusal(url: string, fields: readonly string[]): AppError | null {
  if (isUtf8Form(url)) return null;
  const pairs = url.slice(url.indexOf('?') + 1).split('&');
  const names = pairs.filter((pair) => !isUtf8Form(pair)).map((pair) => decode(pair.split('=', 1)[0] ?? ''));
  const faults = fields.filter((field) => names.includes(field));
  if (faults.length === 0) return null;
  return invalid(
    Object.fromEntries(faults.map((name) => [name, [`The ${name} field must be percent-encoded UTF-8.`]])),
  );
}
