import { notSignedIn, type Session, type SignInProof } from '../session/session.rules.ts';
import { type OwnPasswordDeps, requireOwnPassword } from './own-password.ts';

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
