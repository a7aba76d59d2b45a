import { ROLE_SCOPES } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { findAccount } from '../accounts/account.repository.ts';
import { findMember } from '../accounts/membership.repository.ts';
import {
  isStillValid,
  type OwnedSession,
  type Session,
  type SignInProof,
  type StoredSession,
} from './session.rules.ts';
import type { Sessions } from './session-store.ts';

/** A session whose account has lost its membership of the business. The proof still opens others. */
export interface LostBusiness {
  validProof: SignInProof;
}

interface FindSessionDeps {
  database: Database;
  /** Uses the stored session, or only looks at it. */
  find: Sessions['find'];
  /** Stores the account of a session of 0.1.0. */
  adopt?: (token: string, session: OwnedSession) => Promise<unknown>;
}

/** The session of a token. Null where it is over, or the password has changed. */
export async function findSession(
  { database, find, adopt }: FindSessionDeps,
  token: string,
): Promise<Session | LostBusiness | null> {
  const stored = await find(token);
  if (!stored) return null;
  const { tenantId, adminId: membershipId, csrfSecret } = stored;
  const member = await findMember(database.forTenant(tenantId), membershipId);
  if (!member) return lostBusiness(database, stored);
  if (!isStillValid(stored, member)) return null;
  const proof = proofIn(stored, member.account_id, member.sessions_version);
  if (stored.accountId === undefined) await adopt?.(token, { ...stored, ...proof });
  return {
    tenantId,
    membershipId,
    role: member.role,
    scopes: ROLE_SCOPES[member.role],
    email: member.email,
    csrfSecret,
    token,
    proof,
    hasOtherBusinesses: member.businesses > 1,
  };
}

const proofIn = (stored: StoredSession, accountId: number, sessionsVersion: number): SignInProof => ({
  accountId,
  credentialsVersion: stored.credentialsVersion,
  sessionsVersion,
  startedAt: stored.startedAt,
  confirmedAt: stored.confirmedAt ?? stored.startedAt,
});

async function lostBusiness(database: Database, stored: StoredSession): Promise<LostBusiness | null> {
  if (stored.accountId === undefined) return null;
  const account = await findAccount(database.systemForRequests, stored.accountId);
  if (!account || !isStillValid(stored, account)) return null;
  return { validProof: proofIn(stored, account.id, account.sessions_version) };
}
