/** An element of the headers' lists: a tag, or nothing. Quotes may hold commas. */
const ELEMENT = /[ \t]*(?:((?:W\/)?"[!#-~\x80-\xff]*")[ \t]*)?(?:,|$)/gy;
/** What comes of a version's tag on its way: weakened, or marked by a proxy that compresses. */
const VERSION = /^(?:W\/)?"([1-9]\d*)(?:-[^"]*)?"$/;

/** The tags of an `If-Match` or `If-None-Match`, or any tag; none where the header is malformed. */
function tagsOf(header: string): string[] | '*' {
  if (header.trim() === '*') return '*';
  const elements = [...header.matchAll(ELEMENT)];
  const isWhole = elements.reduce((length, [text]) => length + text.length, 0) === header.length;
  return isWhole ? elements.flatMap(([, tag]) => tag ?? []) : [];
}

/**
 * Whether an `If-Match` allows a change of this version. Only the version of a tag counts, and a weakened tag as much as a strong one:
 * what else a record shows, no change can overwrite.
 */
export function namesVersion(ifMatch: string, version: number): boolean {
  const tags = tagsOf(ifMatch);
  return tags === '*' || tags.some((tag) => VERSION.exec(tag)?.[1] === String(version));
}

/** Whether an `If-None-Match` says that the client has what this tag stands for (RFC 9110, 13.1.2: by weak comparison). */
export function namesTag(ifNoneMatch: string, etag: string): boolean {
  const tags = tagsOf(ifNoneMatch);
  return tags === '*' || tags.some((tag) => opaque(tag) === opaque(etag));
}

const opaque = (tag: string) => tag.replace(/^W\//, '');
