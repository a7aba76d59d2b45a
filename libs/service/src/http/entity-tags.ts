import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { overtaken } from '../errors/app-error.ts';
import { ok } from './replies.ts';

/** 96 bits: no two states of a record share them by chance. */
const DIGEST_CHARACTERS = 16;
/** An element of the headers' lists: a tag, or nothing. Quotes may hold commas. */
const ELEMENT = /[ \t]*(?:((?:W\/)?"[!#-~\x80-\xff]*")[ \t]*)?(?:,|$)/gy;
/** The tag of a version, also after a proxy on the way has weakened it, or marked it as compressed. */
const VERSION = /^(?:W\/)?"([1-9]\d*)(?:-[^"]*)?"$/;

/** The tags of an `If-Match` or `If-None-Match`, or any tag; none where the header is malformed. */
function tagsOf(header: string): string[] | '*' {
  if (header.trim() === '*') return '*';
  const elements = [...header.matchAll(ELEMENT)];
  const isWhole = elements.reduce((length, [text]) => length + text.length, 0) === header.length;
  return isWhole ? elements.flatMap(([, tag]) => tag ?? []) : [];
}

/**
 * Whether an `If-Match` allows a change of this version. Only the version in a tag counts, in a weak tag as in a strong one: a change
 * can't overwrite what else the record shows.
 */
export function namesVersion(ifMatch: string, version: number): boolean {
  const tags = tagsOf(ifMatch);
  return tags === '*' || tags.some((tag) => VERSION.exec(tag)?.[1] === String(version));
}

/** Whether an `If-None-Match` names this tag, so that the client has the answer (RFC 9110, 13.1.2: by weak comparison). */
export function namesTag(ifNoneMatch: string, etag: string): boolean {
  const tags = tagsOf(ifNoneMatch);
  return tags === '*' || tags.some((tag) => opaque(tag) === opaque(etag));
}

const opaque = (tag: string) => tag.replace(/^W\//, '');

const digestOf = (shown: object) => hash('sha256', JSON.stringify(shown), 'base64url');

/**
 * A record's strong ETag (RFC 9110): its version, which grows with every change of its own row. Where the answer shows more than that row,
 * a digest of all that is `shown` follows.
 */
export function etagOf(version: number, shown?: object): string {
  return shown === undefined ? `"${version}"` : `"${version}-${digestOf(shown).slice(0, DIGEST_CHARACTERS)}"`;
}

/** The strong ETag of an answer without a version: a digest of its whole content. */
export function etagOfContent(record: object): string {
  return `"${digestOf(record)}"`;
}

/**
 * Sets the ETag and the status of the answer. @returns whether the client has this version already (`If-None-Match`): then the answer is
 * 304, and needs no record
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

/** Checks the `If-Match` of a request before its change. */
export const matching =
  (request: FastifyRequest): RequireVersion =>
  (version, shown) =>
    requireMatch(request, version, shown);

/** The success envelope of one record, with its ETag: see `etagOf`. */
export function versioned<Data>(reply: FastifyReply, version: number, record: Data, shown?: object) {
  reply.header('etag', etagOf(version, shown));
  return ok(record);
}
