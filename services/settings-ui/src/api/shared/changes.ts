import type { Database } from '@frontdesk/database';
import { ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { audited, auditedPieces, type Change } from '../../use-cases/audited.ts';
import { wantsJson } from './accept.ts';
import type { Notice } from './notices.ts';

export type Changes = ReturnType<typeof createChanges>;

export function createChanges(deps: { database: Database; addressOf: (request: FastifyRequest) => string }) {
  const scopeOf = ({ session }: FastifyRequest) => deps.database.forTenant(session.tenantId);
  const actorOf = (request: FastifyRequest) => ({
    name: request.session.email,
    address: deps.addressOf(request),
  });
  return {
    /** Makes a change in the name of who is signed in, and writes it down. */
    make: <Result>(request: FastifyRequest, change: Change<Result>, work: () => Promise<Result>) =>
      audited(scopeOf(request), actorOf(request), change, work),
    /** Hands out data to who is signed in, and writes that down. */
    handOut: <Piece>(
      request: FastifyRequest,
      what: Parameters<typeof auditedPieces>[2],
      pieces: AsyncIterable<Piece>,
    ) => auditedPieces(scopeOf(request), actorOf(request), what, pieces),
  };
}

/**
 * The record for JSON clients; people go on to a page, which says what has been done, to the record with this id. Without a notice
 * the page says it itself.
 */
export function answerChange<Data>(
  request: FastifyRequest,
  reply: FastifyReply,
  { data, notice, id, to }: { data: Data; notice: Notice | null; id?: number; to: string },
) {
  if (wantsJson(request)) return ok(data);
  if (notice === null) return reply.redirect(to, 303);
  return goTo(reply, to, id === undefined ? notice : `${notice}:${id}`);
}

/** To a page that says what has been done. */
export function goTo(reply: FastifyReply, to: string, done: Notice | `${Notice}:${number}`): FastifyReply {
  const [path = '', anchor] = to.split('#');
  const query = `${path.includes('?') ? '&' : '?'}done=${done}`;
  return reply.redirect(`${path}${query}${anchor ? `#${anchor}` : ''}`, 303);
}
