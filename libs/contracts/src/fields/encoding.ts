import { isUtf8 } from 'node:buffer';
import { MIMEType } from 'node:util';

/** What is read as text: UTF-8, as it is. */

/** ASCII is UTF-8 as well; some senders leave out the hyphen. */
const UTF8_NAMES = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);
const PERCENT_ESCAPES = /%([0-9a-fA-F]{2})/g;
/** What may stand for bytes beyond ASCII. */
const BEYOND_ASCII = /%[89a-fA-F]|[\x80-\xff]/;

/** The first content coding of the header other than `identity`; null if none. */
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

/** Whether a form or a query, each byte a character (latin1), is UTF-8, and what its percent-escapes stand for too. */
export function isUtf8Form(text: string): boolean {
  if (!BEYOND_ASCII.test(text)) return true;
  return isUtf8(Buffer.from(unescapedForm(text), 'latin1'));
}

/** A form or a query as the bytes that it stands for, each a character (latin1) before and after. */
export const unescapedForm = (text: string): string =>
  text.replace(PERCENT_ESCAPES, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
