import { CONFIRMED_MINUTES, type MemberRole, type Scope } from '@frontdesk/contracts';
import { AppError } from '@frontdesk/service';
import type { AccountRow } from '../accounts/account.rules.ts';
import type { clientText } from './client.rules.ts';

/** That the password of an account was shown, and when (epoch milliseconds). A new password voids it, and a sign-out everywhere. */
export interface SignInProof {
  accountId: number;
  credentialsVersion: number;
  sessionsVersion: number;
  /** The time of the sign-in. Sessions that come of it by a change of business keep it. */
  startedAt: number;
  /** When the password was last shown. */
  confirmedAt: number;
}

/**
 * A session as it is stored, under the hash of the token in the browser's cookie. Sessions of 0.1.0 say neither the account nor
 * when the password was shown, and processes of 0.1.0 read these too.
 */
export interface StoredSession
  extends Pick<SignInProof, 'credentialsVersion' | 'startedAt'>,
    Partial<Omit<SignInProof, 'credentialsVersion' | 'startedAt'>>,
    Partial<ReturnType<typeof clientText>> {
  tenantId: number;
  /** The membership's id, which was the admin's in 0.1.0. */
  adminId: number;
  csrfSecret: string;
}

/** A session that says its account. */
export type OwnedSession = StoredSession & Pick<SignInProof, 'accountId'>;

/** On whose behalf the services are asked, and what they may do. A session is one. */
export interface By {
  tenantId: number;
  /** Null: nobody's, where the pages ask by themselves. */
  membershipId: number | null;
  scopes: readonly Scope[];
}

/** The session of a request. */
export interface Session extends By {
  membershipId: number;
  role: MemberRole;
  email: string;
  /** What the tokens of this session's forms are made from. */
  csrfSecret: string;
  token: string;
  proof: SignInProof;
  /** Whether the account belongs to other businesses too. */
  hasOtherBusinesses: boolean;
}

/** The proof of a password that is shown at this instant. */
export const proofOf = (
  account: Pick<AccountRow, 'id' | 'credentials_version' | 'sessions_version'>,
  nowMs: number,
): SignInProof => ({
  accountId: account.id,
  credentialsVersion: account.credentials_version,
  sessionsVersion: account.sessions_version,
  startedAt: nowMs,
  confirmedAt: nowMs,
});

/** Until when routes with `needsConfirmation` don't ask for the password (epoch milliseconds). */
export const confirmedUntil = ({ confirmedAt }: Pick<SignInProof, 'confirmedAt'>): number =>
  confirmedAt + CONFIRMED_MINUTES * 60_000;

/** Whether neither a new password nor a sign-out everywhere has voided it. A session of 0.1.0 is judged by when it began. */
export const isStillValid = (
  {
    credentialsVersion,
    sessionsVersion,
    startedAt = 0,
  }: Pick<StoredSession, 'credentialsVersion'> &
    Partial<Pick<StoredSession, 'sessionsVersion' | 'startedAt'>>,
  account: Pick<AccountRow, 'credentials_version' | 'sessions_version' | 'sessions_ended_at'>,
): boolean =>
  credentialsVersion === account.credentials_version &&
  (sessionsVersion === undefined
    ? startedAt > (account.sessions_ended_at?.getTime() ?? 0)
    : sessionsVersion === account.sessions_version);

export const notSignedIn = () => new AppError('unauthorized', 'Please sign in.');
