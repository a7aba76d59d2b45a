/** Whether `If-None-Match` says that the client has what this tag stands for (RFC 9110, 13.1.2: by weak comparison). */
export function matchesTag(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const tags = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => opaque(tag) === opaque(etag));
}

/** The tag of an answer of which there is more than one sequence of bytes: compressed, and as it is. */
export const weakTag = (tag: string): string => (tag.startsWith('W/') ? tag : `W/${tag}`);

const opaque = (tag: string) => tag.replace(/^W\//, '');

/** Whether 304 answers the request instead of what the backend has sent. */
export const isNotModified = (
  request: { method: string; ifNoneMatch: string | undefined },
  answer: { status: number; etag: string | undefined },
): boolean =>
  answer.status === 200 &&
  (request.method === 'GET' || request.method === 'HEAD') &&
  matchesTag(request.ifNoneMatch, answer.etag);
