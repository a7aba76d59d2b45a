import { randomBytes } from 'node:crypto';
import type { Database } from '@frontdesk/database';
import { AppError } from '@frontdesk/service';
import { findAdmin, findCredentials, noteSignIn } from '../admins/admin.repository.ts';
import { type AdminRow, foldEmail } from '../admins/admin.rules.ts';
import { countFailure } from '../audit/audit-entry.repository.ts';
import { audited } from '../audit/audited.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { type Device, newDevice } from '../session/device.rules.ts';
import type { Session } from '../session/session.rules.ts';
import type { Sessions } from '../session/session-store.ts';
import type { SignInAttempts } from './sign-in-attempts.ts';

const CSRF_SECRET_BYTES = 18;
/**
 * Who fails where no admin has the email. It is written down like any other failure, so that the time of the answer
 * doesn't reveal whether the email is known; under tenant 0, and without email and address.
 */
const NOBODY = { tenant_id: 0, email: '' };

interface SignInDeps {
  database: Database;
  sessions: Sessions;
  attempts: SignInAttempts;
  passwords: PasswordHasher;
}

export interface SignInAttempt {
  email: string;
  password: string;
  address: string;
  /** What the browser has of an earlier sign-in. */
  device: Device | null;
}

export interface SignedIn {
  session: Session;
  /** What this browser is known by from now on. */
  device: Device;
}

/**
 * A new session for who knows the password. An unknown address and a wrong password take the same steps, so the same
 * time, and get the same answer.
 * @throws AppError `unauthorized`; `rate_limited` or `service_unavailable` before the password is looked at;
 *   `rate_limited` too where the admin has signed in too often
 */
export async function signIn(deps: SignInDeps, attempt: SignInAttempt): Promise<SignedIn> {
  const { database, sessions, attempts, passwords } = deps;
  const { email, password, address } = attempt;
  const device = await knownDevice(database, attempt);
  const { admin, isRight } = await attempts.judge(device ? { device } : { email, address }, async () => {
    const found = await findCredentials(database.systemForRequests, email);
    const fits = await passwords.verify(password, found?.password_hash ?? null, device?.tenantId ?? null);
    return { admin: found, isRight: fits };
  });
  if (!admin || !isRight) {
    const { tenant_id, email: name } = admin ?? NOBODY;
    await countFailure(database.forTenant(tenant_id), { name, address: admin && address }, 'signed_in');
    throw new AppError('unauthorized', 'The email or password is wrong.');
  }
  await attempts.countSignIn(admin);
  const scope = database.forTenant(admin.tenant_id);
  const actor = { name: admin.email, address };
  const session = await audited(scope, actor, { action: 'signed_in', subject: '' }, async () => {
    const begun = await beginSession(sessions, admin);
    await noteSignIn(scope, admin.id);
    return begun;
  });
  return { session, device: device ?? newDevice(admin) };
}

/**
 * The device, where it is of the admin that this email is of now, and of the password of now: both can change hands.
 */
async function knownDevice(database: Database, { device, email }: SignInAttempt): Promise<Device | null> {
  if (!device) return null;
  const admin = await findAdmin(database.forTenant(device.tenantId), device.adminId);
  if (admin?.credentials_version !== device.credentialsVersion) return null;
  return foldEmail(admin.email) === foldEmail(email) ? device : null;
}

/** A session that knows nothing of any before it. */
export async function beginSession(sessions: Sessions, admin: AdminRow): Promise<Session> {
  const csrfSecret = randomBytes(CSRF_SECRET_BYTES).toString('base64url');
  const { tenant_id: tenantId, id: adminId, email } = admin;
  const token = await sessions.begin({
    tenantId,
    adminId,
    credentialsVersion: admin.credentials_version,
    csrfSecret,
  });
  return { tenantId, adminId, email, csrfSecret, token };
}
