import { endAllSessions } from '../accounts/account.repository.ts';
import { findMember } from '../accounts/membership.repository.ts';
import { orNull } from '../clients/or-null.ts';
import type { Client } from '../session/client.rules.ts';
import { notSignedIn, type Session } from '../session/session.rules.ts';
import { beginSession } from './sign-in.ts';
import type { SignInRouteDeps } from './sign-in-route-deps.ts';

/**
 * Signs an account out everywhere, but for a new session in this browser. Of two browsers that do so at once, one wins.
 * @throws AppError `unauthorized` in the other one
 */
export async function endOtherSessions(
  { database, sessions }: Pick<SignInRouteDeps, 'database' | 'sessions'>,
  { tenantId, membershipId, proof }: Session,
  client: Client,
): Promise<Session> {
  const { accountId } = proof;
  const before = await sessions.list(proof);
  const member = await findMember(database.forTenant(tenantId), membershipId);
  const session = await database.systemForRequests.transaction(async (tx) => {
    const account = await endAllSessions(tx, accountId, proof.sessionsVersion);
    if (!account || !member) throw notSignedIn();
    // Before the change is there for good: a Redis that is away or full undoes it.
    const sessionsVersion = account.sessions_version;
    return beginSession(sessions, member, { proof: { ...proof, sessionsVersion }, client });
  });
  // They are void already.
  const ids = before.map(({ id }) => id);
  await orNull(sessions.endOf(accountId, ids));
  return session;
}
