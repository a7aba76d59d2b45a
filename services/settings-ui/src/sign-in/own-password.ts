import type { FieldFaults } from '@frontdesk/contracts';
import { AppError } from '@frontdesk/service';
import { findPassword } from '../accounts/account.repository.ts';
import type { AuditAction } from '../audit/audit.rules.ts';
import type { Session } from '../session/session.rules.ts';
import type { SignInRouteDeps } from './sign-in-route-deps.ts';

export type OwnPasswordDeps = Pick<
  SignInRouteDeps,
  'database' | 'attempts' | 'passwords' | 'noteWrongPassword'
>;

interface OwnPassword {
  password: string;
  address: string;
  /** What the audit log counts a wrong one as. */
  action: AuditAction;
  /** What is said of a wrong one. */
  faults: FieldFaults;
}

/**
 * Judges the password that somebody signed in has repeated.
 * @returns the version of the credentials that it belongs to
 * @throws AppError 422 with `faults` where it is wrong; `rate_limited` after too many of those; `service_unavailable`
 *   where too many passwords are being hashed
 */
export async function requireOwnPassword(
  { database, attempts, passwords, noteWrongPassword }: OwnPasswordDeps,
  { proof: { accountId } }: Session,
  { password, address, action, faults }: OwnPassword,
): Promise<number> {
  const { found, isRight } = await attempts.judge({ accountId }, async () => {
    const found = await findPassword(database.systemForRequests, accountId);
    const isRight = await passwords.verify(password, found?.password_hash ?? null, accountId);
    return { found, isRight };
  });
  if (found && isRight) return found.credentials_version;
  await noteWrongPassword({ accountId, address, action });
  throw new AppError('validation_failed', 'The password is wrong.', { faults });
}
