import type { Invitation, MemberRole } from '@frontdesk/contracts';

export interface InvitationRow {
  tenant_id: number;
  id: number;
  email: string;
  email_folded: string;
  role: MemberRole;
  /** The id of the admin who made it. */
  invited_by: number;
  created_at: Date;
  expires_at: Date;
}

/** With the email of the admin who made it. */
export interface OpenInvitation extends InvitationRow {
  invited_by_email: string;
}

/** An invitation as the pages show it. */
export const invitationRecord = (row: OpenInvitation): Invitation => ({
  id: row.id,
  email: row.email,
  role: row.role,
  invited_by: row.invited_by_email,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
});
