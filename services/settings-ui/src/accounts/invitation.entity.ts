import { EntitySchema } from 'typeorm';
import type { InvitationRow } from './invitation.rules.ts';

/** Without the hash of its link, by which only statements find it. */
export const invitationEntity = new EntitySchema<InvitationRow>({
  name: 'invitation',
  tableName: 'admin_invitations',
  columns: {
    tenant_id: { type: 'bigint', primary: true },
    id: { type: 'bigint', primary: true, generated: 'increment' },
    email: { type: 'text' },
    email_folded: { type: 'text' },
    role: { type: 'text' },
    invited_by: { type: 'bigint' },
    created_at: { type: 'timestamptz', createDate: true },
    expires_at: { type: 'timestamptz' },
  },
});
