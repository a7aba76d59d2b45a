import type { AdminUser, MemberRole } from '@frontdesk/contracts';

/** An address with its credentials, once in the system. */
export interface AccountRow {
  id: number;
  email: string;
  email_folded: string;
  /** Grows with every new password, which voids earlier sessions and known devices. */
  credentials_version: number;
  /** Grows when its owner signs out everywhere else, which voids earlier sessions. */
  sessions_version: number;
  /** The latest sign-out everywhere else; null where there was none. */
  sessions_ended_at: Date | null;
  /** How many memberships it has. Without one it is deleted. */
  businesses: number;
  last_sign_in_at: Date | null;
  created_at: Date;
}

/** What a sign-in is judged by. */
export interface Credentials extends AccountRow {
  password_hash: string;
}

/** What joins an account to a business. */
export interface MembershipRow {
  tenant_id: number;
  id: number;
  account_id: number;
  role: MemberRole;
  /** The inviter's membership; null where an operator added the admin. */
  invited_by: number | null;
  last_sign_in_at: Date | null;
  created_at: Date;
}

/** A membership with its account. */
export type Member = MembershipRow &
  Pick<
    AccountRow,
    'email' | 'email_folded' | 'credentials_version' | 'sessions_version' | 'sessions_ended_at' | 'businesses'
  >;

/** Two addresses are the same where this is: whatever their case. */
export const foldEmail = (email: string) => email.trim().normalize('NFC').toLowerCase();

/** A member as the pages and the internal API show them. */
export const adminRecord = (member: Member): AdminUser => ({
  id: member.id,
  email: member.email,
  role: member.role,
  created_at: member.created_at.toISOString(),
  last_sign_in_at: member.last_sign_in_at?.toISOString() ?? null,
});
