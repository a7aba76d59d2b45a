import { namesTag } from '@frontdesk/service';

/** The tag of an answer that may be sent compressed or not, and so as different bytes. */
export const weakTag = (tag: string): string => (tag.startsWith('W/') ? tag : `W/${tag}`);

/** Whether `If-None-Match` names this tag: the client has the answer already. */
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
