import type { AdminUser } from '@frontdesk/contracts';

export interface AdminRow {
  tenant_id: number;
  id: number;
  email: string;
  email_folded: string;
  /** Grows with every new password: sessions from before are void. */
  credentials_version: number;
  last_sign_in_at: Date | null;
  created_at: Date;
}

/** With what a sign-in is judged by. */
export interface AdminCredentials extends AdminRow {
  password_hash: string;
}

/** What distinguishes emails: not their case. */
export const foldEmail = (email: string) => email.trim().normalize('NFC').toLowerCase();

/** An admin as the pages and the internal API show it. */
export const adminRecord = (row: AdminRow): AdminUser => ({
  id: row.id,
  email: row.email,
  created_at: row.created_at.toISOString(),
  last_sign_in_at: row.last_sign_in_at?.toISOString() ?? null,
});
