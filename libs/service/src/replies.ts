import { createHash } from 'node:crypto';
import type { PageMeta } from '@frontdesk/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { overtaken } from './errors.ts';

/** The success envelope of one record, or of a whole list without pages. */
export function ok<Data>(data: Data): { success: true; data: Data } {
  return { success: true, data };
}

/**
 * The success envelope of one page. `total` counts all records of the list, not of the page; what is undefined of the rest
 * is left out.
 */
export function page<Row>(data: Row[], meta: PageMeta): { success: true; data: Row[]; meta: PageMeta } {
  const { page: number, per_page, total, total_is_estimate, next_cursor } = meta;
  return { success: true, data, meta: { page: number, per_page, total, total_is_estimate, next_cursor } };
}

/** A record's strong ETag (RFC 9110): its version, which grows with every change. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** The strong ETag of a record that is put together from more than its own row: of all that it says. */
export function etagOfContent(record: object): string {
  return `"${createHash('sha256').update(JSON.stringify(record)).digest('base64url')}"`;
}

/**
 * Gives the answer its ETag, and says whether it is the one that the client has (`If-None-Match`): then the answer is 304 and needs no
 * record. For clients of our own, which send a tag as they got it.
 */
export function isUnchanged(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  const unchanged = request.headers['if-none-match'] === etag;
  reply.code(unchanged ? 304 : 200).header('etag', etag);
  return unchanged;
}

/** Honours `If-Match`. @throws AppError `precondition_failed` when the record has moved on since the client saw it. */
export function requireMatch(request: FastifyRequest, version: number): void {
  const wanted = request.headers['if-match'];
  if (wanted === undefined || wanted.trim() === '*') return;
  const tags = wanted.split(',').map((tag) => tag.trim());
  if (!tags.includes(etagOf(version))) throw overtaken({ etag: etagOf(version) });
}

/** Throws when the client has seen another version than this. */
export type RequireVersion = (version: number) => void;

/** Holds a change to the `If-Match` of its request. */
export const matching =
  (request: FastifyRequest): RequireVersion =>
  (version) =>
    requireMatch(request, version);

/** The success envelope of one record, with its version as ETag. */
export function versioned<Data>(reply: FastifyReply, version: number, record: Data) {
  reply.header('etag', etagOf(version));
  return ok(record);
}
