import { namesTag } from '@frontdesk/service';

/** The tag of an answer of which there is more than one sequence of bytes: compressed, and as it is. */
export const weakTag = (tag: string): string => (tag.startsWith('W/') ? tag : `W/${tag}`);

/** Whether `If-None-Match` says that the client has what this tag stands for. */
export const matchesTag = (ifNoneMatch: string | undefined, etag: string | undefined): boolean =>
  ifNoneMatch !== undefined && etag !== undefined && namesTag(ifNoneMatch, etag);

/** Whether 304 answers the request instead of what the backend has sent. */
export const isNotModified = (
  request: { method: string; ifNoneMatch: string | undefined },
  answer: { status: number; etag: string | undefined },
): boolean =>
  answer.status === 200 &&
  (request.method === 'GET' || request.method === 'HEAD') &&
  matchesTag(request.ifNoneMatch, answer.etag);
