import { etagOf, ok, requireMatch } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequireVersion } from '../use-cases/change-endpoint.ts';

/** The record's envelope, with its version as ETag. */
export function versioned<Data>(reply: FastifyReply, version: number, record: Data) {
  reply.header('etag', etagOf(version));
  return ok(record);
}

/** Holds a change to the `If-Match` of its request. */
export const matching =
  (request: FastifyRequest): RequireVersion =>
  (version) =>
    requireMatch(request, version);
