import { hash } from 'node:crypto';
import type { PageMeta } from '@frontdesk/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { namesTag, namesVersion } from './entity-tags.ts';
import { overtaken } from './errors.ts';

/** 96 bits: no two states of a record share them by chance. */
const DIGEST_CHARACTERS = 16;

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

const digestOf = (shown: object) => hash('sha256', JSON.stringify(shown), 'base64url');

/**
 * A record's strong ETag (RFC 9110): its version, which grows with every change of its own row. Where the answer shows more than that row,
 * a digest of all that is `shown` follows.
 */
export function etagOf(version: number, shown?: object): string {
  return shown === undefined ? `"${version}"` : `"${version}-${digestOf(shown).slice(0, DIGEST_CHARACTERS)}"`;
}

/** The strong ETag of an answer that has no version: of all that it says. */
export function etagOfContent(record: object): string {
  return `"${digestOf(record)}"`;
}

/**
 * Gives the answer its ETag, and says whether it is the one that the client has (`If-None-Match`): then the answer is 304 and needs no
 * record.
 */
export function isUnchanged(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  const known = request.headers['if-none-match'];
  const unchanged = known !== undefined && namesTag(known, etag);
  reply.code(unchanged ? 304 : 200).header('etag', etag);
  return unchanged;
}

/**
 * Honours `If-Match`.
 * @param shown as for `etagOf`: the failure carries the record's present ETag
 * @throws AppError `precondition_failed` when the record has moved on since the client saw it
 */
export function requireMatch(request: FastifyRequest, version: number, shown?: object): void {
  const wanted = request.headers['if-match'];
  if (wanted === undefined || namesVersion(wanted, version)) return;
  throw overtaken({ etag: etagOf(version, shown) });
}

/** Throws when the client has seen another version than this. `shown` is as for `etagOf`. */
export type RequireVersion = (version: number, shown?: object) => void;

/** Holds a change to the `If-Match` of its request. */
export const matching =
  (request: FastifyRequest): RequireVersion =>
  (version, shown) =>
    requireMatch(request, version, shown);

/** The success envelope of one record, with its ETag: see `etagOf`. */
export function versioned<Data>(reply: FastifyReply, version: number, record: Data, shown?: object) {
  reply.header('etag', etagOf(version, shown));
  return ok(record);
}
