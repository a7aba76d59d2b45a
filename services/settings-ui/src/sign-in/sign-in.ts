import { randomBytes } from 'node:crypto';
import { ROLE_SCOPES } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { AppError } from '@frontdesk/service';
import { findAccount, findCredentials, noteAccountSignIn } from '../accounts/account.repository.ts';
import { foldEmail, type Member } from '../accounts/account.rules.ts';
import { findMember, listMemberships, noteSignIn } from '../accounts/membership.repository.ts';
import { audited } from '../audit/audited.ts';
import type { NoteWrongPassword } from '../audit/note-wrong-password.ts';
import { queueAccountEmail } from '../mail/email.repository.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { type Client, clientText } from '../session/client.rules.ts';
import { type Device, newDevice, type StoredDevice } from '../session/device.rules.ts';
import {
  isStillValid,
  notSignedIn,
  proofOf,
  type Session,
  type SignInProof,
} from '../session/session.rules.ts';
import type { Sessions } from '../session/session-store.ts';
import type { SignInAttempts } from './sign-in-attempts.ts';

const CSRF_SECRET_BYTES = 18;

interface SignInDeps {
  database: Database;
  sessions: Sessions;
  attempts: SignInAttempts;
  passwords: PasswordHasher;
  noteWrongPassword: NoteWrongPassword;
}

export interface SignInAttempt {
  email: string;
  password: string;
  client: Client;
  /** From the browser's cookie. */
  device: StoredDevice | null;
}

export interface SignedIn {
  /** Null for an account with several businesses or none: one has to be chosen. */
  session: Session | null;
  proof: SignInProof;
  /** The browser as a known device. */
  device: Device;
}

/**
 * Signs an account in by its password. An unknown address and a wrong password take the same steps, so the same
 * time, and get the same answer.
 * @throws AppError `unauthorized`; `rate_limited` or `service_unavailable` before the password is looked at;
 *   `rate_limited` too where the account has signed in too often
 */
export async function signIn(deps: SignInDeps, attempt: SignInAttempt): Promise<SignedIn> {
  const { database, attempts, passwords, noteWrongPassword } = deps;
  const { email, password, client } = attempt;
  const { address } = client;
  const system = database.systemForRequests;
  const device = await knownDevice(database, attempt);
  const { account, isRight } = await attempts.judge(device ? { device } : { email, address }, async () => {
    const found = await findCredentials(system, email);
    const fits = await passwords.verify(password, found?.password_hash ?? null, device?.accountId ?? null);
    return { account: found, isRight: fits };
  });
  if (!account || !isRight) {
    await noteWrongPassword({ accountId: account?.id ?? null, address, action: 'signed_in' });
    throw new AppError('unauthorized', 'The email or password is wrong.');
  }
  await attempts.countSignIn(account.id, 'done');
  const proof = proofOf(account, Date.now());
  const memberships = await listMemberships(system, account.id);
  const [only, ...others] = memberships;
  const isOne = only && others.length === 0;
  if (!device && account.last_sign_in_at !== null)
    await queueAccountEmail(system, {
      kind: 'new_device',
      recipients: [account.email],
      details: clientText(client),
      tenantId: isOne ? only.tenant_id : null,
    });
  const session = isOne ? await openBusiness(deps, { ...only, client, proof }) : null;
  const { accountId, credentialsVersion } = proof;
  return { session, proof, device: device ?? newDevice({ accountId, credentialsVersion, memberships }) };
}

interface NewSession {
  proof: SignInProof;
  client: Client;
  /** Ends the session or pending sign-in that it comes of. @returns whether that was there: of several requests one gets true */
  claim?: () => Promise<boolean>;
}

/**
 * Opens a session in one of the account's businesses, apart from earlier ones.
 * @throws AppError 404 where the account doesn't belong to it (any more); `unauthorized` where the proof is void, or `claim`
 *   says so
 */
export async function openBusiness(
  { database, sessions }: Pick<SignInDeps, 'database' | 'sessions'>,
  { tenant_id, id, ...begun }: NewSession & { tenant_id: number; id: number },
): Promise<Session> {
  const { client, proof } = begun;
  const scope = database.forTenant(tenant_id);
  const member = await findMember(scope, id);
  if (!member) throw new AppError('not_found', 'Business not found.');
  if (!isStillValid(proof, member)) throw notSignedIn();
  const actor = {
    name: member.email,
    address: client.address,
    accountId: member.account_id,
    membershipId: id,
  };
  return audited(scope, actor, { action: 'signed_in', subject: '' }, async () => {
    const session = await beginSession(sessions, member, begun);
    await Promise.all([
      noteSignIn(scope, id),
      noteAccountSignIn(database.systemForRequests, member.account_id),
    ]);
    return session;
  });
}

/**
 * The browser's device, if the account has this email and the password still: both can change hands.
 */
async function knownDevice(database: Database, { device, email }: SignInAttempt): Promise<Device | null> {
  if (!device) return null;
  const account = await ownerOf(database, device);
  if (account?.credentials_version !== device.credentialsVersion) return null;
  return account.email_folded === foldEmail(email) ? { ...device, accountId: account.id } : null;
}

async function ownerOf(database: Database, { accountId, tenantId, adminId }: StoredDevice) {
  if (accountId !== undefined) return findAccount(database.systemForRequests, accountId);
  const member = await findMember(database.forTenant(tenantId), adminId);
  return member && { ...member, id: member.account_id };
}

export async function beginSession(
  sessions: Sessions,
  member: Member,
  { proof, client, claim }: NewSession,
): Promise<Session> {
  const csrfSecret = randomBytes(CSRF_SECRET_BYTES).toString('base64url');
  const { tenant_id: tenantId, id: membershipId, email, role } = member;
  const stored = { ...proof, ...clientText(client), tenantId, adminId: membershipId, csrfSecret };
  const token = await sessions.begin(stored, claim);
  const hasOtherBusinesses = member.businesses > 1;
  return {
    tenantId,
    membershipId,
    role,
    scopes: ROLE_SCOPES[role],
    email,
    csrfSecret,
    token,
    proof,
    hasOtherBusinesses,
  };
}
