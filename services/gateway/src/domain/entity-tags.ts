/** Whether `If-None-Match` says that the client has what this tag stands for (RFC 9110, 13.1.2: by weak comparison). */
export function matchesTag(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const tags = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => opaque(tag) === opaque(etag));
}

const opaque = (tag: string) => tag.replace(/^W\//, '');
