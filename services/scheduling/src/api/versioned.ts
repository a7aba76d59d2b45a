import type { Answer } from '@frontdesk/database';
import { etagOf, ok, requireMatch } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequireVersion } from '../use-cases/lock-record.ts';

/** The record's envelope, with its version as ETag. */
export function versioned<Data>(reply: FastifyReply, version: number, record: Data) {
  reply.header('etag', etagOf(version));
  return ok(record);
}

/** What the POST that made a record answers. `list` is where such records are. */
export function created<Data extends { id: number }>(
  list: string,
  version: number,
  record: Data,
): Answer<{ success: true; data: Data }> {
  const headers = { etag: etagOf(version), location: `${list}/${record.id}` };
  return { status: 201, body: ok(record), headers };
}

/** Holds a change to the `If-Match` of its request. */
export const matching =
  (request: FastifyRequest): RequireVersion =>
  (version) =>
    requireMatch(request, version);
