import type { AdminUser } from '@frontdesk/contracts';

/** An address with its credentials: once in the system, whatever businesses its owner belongs to. */
export interface AccountRow {
  id: number;
  email: string;
  email_folded: string;
  /** Grows with every new password: sessions from before are void, and no browser is known any more. */
  credentials_version: number;
  /** Grows when its owner signs out everywhere else: sessions from before are void. */
  sessions_version: number;
  /** When that was last. Null where it never was. */
  sessions_ended_at: Date | null;
  /** How many it belongs to. Without one it is deleted. */
  businesses: number;
  last_sign_in_at: Date | null;
  created_at: Date;
}

/** With what a sign-in is judged by. */
export interface Credentials extends AccountRow {
  password_hash: string;
}

/** What joins an account to a business. */
export interface MembershipRow {
  tenant_id: number;
  id: number;
  account_id: number;
  /** The membership of who invited them; null where an operator added them. */
  invited_by: number | null;
  last_sign_in_at: Date | null;
  created_at: Date;
}

/** A membership with what its account is known by. */
export type Member = MembershipRow &
  Pick<
    AccountRow,
    'email' | 'email_folded' | 'credentials_version' | 'sessions_version' | 'sessions_ended_at' | 'businesses'
  >;

/** What distinguishes emails: not their case. */
export const foldEmail = (email: string) => email.trim().normalize('NFC').toLowerCase();

/** A member as the pages and the internal API show them. */
export const adminRecord = (member: Member): AdminUser => ({
  id: member.id,
  email: member.email,
  created_at: member.created_at.toISOString(),
  last_sign_in_at: member.last_sign_in_at?.toISOString() ?? null,
});
