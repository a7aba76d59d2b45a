import { CONFIRMED_MINUTES } from '@frontdesk/contracts';
import type { AccountRow } from '../accounts/account.rules.ts';
import type { clientText } from './client.rules.ts';

/** Whose password was shown, and when (epoch milliseconds). It is void with another password, and once its owner signs out everywhere. */
export interface SignInProof {
  accountId: number;
  credentialsVersion: number;
  sessionsVersion: number;
  /** When the sign-in was, of which all sessions are that came of it. */
  startedAt: number;
  /** When the password was last shown. */
  confirmedAt: number;
}

/**
 * What a signed-in browser is remembered by; kept under the hash of the token that its cookie holds. Sessions of 0.1.0 say neither the account nor
 * when the password was shown, and its processes read these too.
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

/** One that says whose it is. */
export type OwnedSession = StoredSession & Pick<SignInProof, 'accountId'>;

/** Who a request comes from. */
export interface Session {
  tenantId: number;
  membershipId: number;
  email: string;
  /** What the tokens of this session's forms are made from. */
  csrfSecret: string;
  token: string;
  proof: SignInProof;
  /** Whether the account belongs to other businesses too. */
  hasOtherBusinesses: boolean;
}

/** What an account shows by its password at this instant. */
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

/** Until when what is dangerous can be done without showing the password again (epoch milliseconds). */
export const confirmedUntil = ({ confirmedAt }: Pick<SignInProof, 'confirmedAt'>): number =>
  confirmedAt + CONFIRMED_MINUTES * 60_000;

/** Whether it is still good: of the password of now, and of no session that was ended. One of 0.1.0 is judged by when it began. */
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
