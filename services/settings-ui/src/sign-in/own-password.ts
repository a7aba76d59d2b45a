import { type FieldFaults, PASSWORD_ATTEMPTS } from '@frontdesk/contracts';
import { AppError } from '@frontdesk/service';
import { findPassword } from '../accounts/account.repository.ts';
import type { AuditAction } from '../audit/audit.rules.ts';
import { audited } from '../audit/audited.ts';
import { notSignedIn, type Session, type SignInProof } from '../session/session.rules.ts';
import type { SignInRouteDeps } from './sign-in-route-deps.ts';

export type OwnPasswordDeps = Pick<
  SignInRouteDeps,
  'database' | 'sessions' | 'attempts' | 'passwords' | 'noteWrongPassword'
>;

interface OwnPassword {
  password: string;
  address: string;
  /** The action in the audit log of a wrong password. */
  action: AuditAction;
  /** What the form says about a wrong password. */
  faults: FieldFaults;
}

/**
 * Judges the password that the owner of a session repeats.
 * @returns the version of the credentials that it belongs to
 * @throws AppError 422 with `faults` where it is wrong; `unauthorized` after too many of those, which end the session;
 *   `rate_limited` or `service_unavailable` where too many passwords are being judged
 */
export async function requireOwnPassword(
  deps: OwnPasswordDeps,
  session: Session,
  { password, address, action, faults }: OwnPassword,
): Promise<number> {
  const { database, attempts, passwords, noteWrongPassword } = deps;
  const { accountId } = session.proof;
  const { verdict, isOver } = await attempts.judgeOwn(session.proof, async () => {
    const found = await findPassword(database.systemForRequests, accountId);
    const isRight = await passwords.verify(password, found?.password_hash ?? null, accountId);
    return { found, isRight };
  });
  if (verdict?.found && verdict.isRight) return verdict.found.credentials_version;
  if (verdict) await noteWrongPassword({ accountId, address, action });
  if (!isOver) throw new AppError('validation_failed', 'The password is wrong.', { faults });
  await endGuessed(deps, session, address);
  throw new AppError('unauthorized', 'You entered too many wrong passwords. Please sign in.');
}

/** Ends the session: its owner would know the password. */
function endGuessed(
  { database, sessions }: OwnPasswordDeps,
  { tenantId, membershipId, email, token, proof }: Session,
  address: string,
) {
  const actor = { name: email, address, accountId: proof.accountId, membershipId };
  const change = { action: 'session_ended', subject: `after ${PASSWORD_ATTEMPTS} wrong passwords` } as const;
  return audited(database.forTenant(tenantId), actor, change, () => sessions.end(token));
}

/**
 * Stores that the password of a session was shown again.
 * @returns the session's proof from now on
 * @throws AppError 422 on `password` where that is wrong, and as `requireOwnPassword`; `unauthorized` where the session
 *   has ended meanwhile
 */
export async function confirmSession(
  deps: OwnPasswordDeps,
  session: Session,
  { password, address }: { password: string; address: string },
): Promise<SignInProof> {
  await requireOwnPassword(deps, session, {
    password,
    address,
    action: 'confirmed',
    faults: { password: ['The password is wrong.'] },
  });
  const confirmedAt = Date.now();
  if (!(await deps.sessions.confirm(session.token, confirmedAt))) throw notSignedIn();
  return { ...session.proof, confirmedAt };
}
