import type { Database } from '@frontdesk/database';
import { ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AuditAction, FOLDED_ACTIONS } from '../audit/audit.rules.ts';
import { audited, auditedPieces, type Change } from '../audit/audited.ts';
import type { TenantStateOf } from '../session/tenant-states.cache.ts';
import { wantsJson } from '../ui/accept.ts';
import type { Notice } from '../ui/notices.rules.ts';
import type { ChangeLimits } from './change-limits.ts';

export type Changes = ReturnType<typeof createChanges>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It takes access away, or replaces a secret: made however many changes the day has had. */
    isAlwaysMade?: boolean;
  }
}

interface ChangesDeps {
  database: Database;
  changeLimits: ChangeLimits;
  stateOf: TenantStateOf;
  addressOf: (request: FastifyRequest) => string;
}

export function createChanges({ database, changeLimits, stateOf, addressOf }: ChangesDeps) {
  const scopeOf = ({ session }: FastifyRequest) => database.forTenant(session.tenantId);
  const actorOf = (request: FastifyRequest) => ({
    name: request.session.email,
    address: addressOf(request),
    accountId: request.session.proof.accountId,
    membershipId: request.session.membershipId,
  });
  const isFolded = async ({ session }: FastifyRequest, action: AuditAction, isBeyond = false) =>
    (isBeyond || FOLDED_ACTIONS.has(action)) &&
    !(await changeLimits.hasOwnEntry(session.tenantId, { actor: session.email, action }));

  return {
    /**
     * Makes a change in the name of who is signed in, and writes it down.
     * @throws AppError `rate_limited` where the tenant has made too many today, unless the route is one that `isAlwaysMade`
     */
    async make<Result>(request: FastifyRequest, change: Change<Result>, work: () => Promise<Result>) {
      const { tenantId } = request.session;
      const { changesPerDay } = await stateOf(tenantId);
      const { isAlwaysMade = false } = request.routeOptions.config;
      const isBeyond = isAlwaysMade && (await changeLimits.isBeyond(tenantId, changesPerDay));
      if (!isAlwaysMade) await changeLimits.count(tenantId, changesPerDay);
      // The log, too, has a bound where changes have none.
      const entry = { ...change, isFolded: await isFolded(request, change.action, isBeyond) };
      return audited(scopeOf(request), actorOf(request), entry, work);
    },
    /** Hands out data to who is signed in, and writes that down. */
    async *handOut<Piece>(
      request: FastifyRequest,
      what: Parameters<typeof auditedPieces>[2],
      pieces: AsyncIterable<Piece>,
    ): AsyncGenerator<Piece> {
      const entry = { ...what, isFolded: await isFolded(request, what.action) };
      yield* auditedPieces(scopeOf(request), actorOf(request), entry, pieces);
    },
  };
}

/**
 * The record for JSON clients; people go on to a page, which says what has been done, to the record with this id.
 * Without a notice the page says it itself.
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
