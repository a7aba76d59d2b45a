import type { AdminUser, Invitation } from '@frontdesk/contracts';

export interface AdminRow {
  tenant_id: number;
  id: number;
  email: string;
  password_hash: string;
  /** Grows with every new password: sessions from before are void. */
  credentials_version: number;
  last_sign_in_at: Date | null;
  created_at: Date;
}

/** What distinguishes emails: not their case. */
export const foldEmail = (email: string) => email.trim().normalize('NFC').toLowerCase();

export const adminRecord = (row: AdminRow): AdminUser => ({
  id: row.id,
  email: row.email,
  created_at: row.created_at.toISOString(),
  last_sign_in_at: row.last_sign_in_at?.toISOString() ?? null,
});

export const invitationRecord = (row: {
  id: number;
  email: string;
  invited_by: string;
  created_at: Date;
  expires_at: Date;
}): Invitation => ({
  id: row.id,
  email: row.email,
  invited_by: row.invited_by,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
});
