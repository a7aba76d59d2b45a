import { EntitySchema } from 'typeorm';
import type { MembershipRow } from './account.rules.ts';

export const membershipEntity = new EntitySchema<MembershipRow>({
  name: 'membership',
  tableName: 'memberships',
  columns: {
    tenant_id: { type: 'bigint', primary: true },
    id: { type: 'bigint', primary: true, generated: 'increment' },
    account_id: { type: 'bigint' },
    role: { type: 'text' },
    invited_by: { type: 'bigint', nullable: true },
    last_sign_in_at: { type: 'timestamptz', nullable: true },
    created_at: { type: 'timestamptz', createDate: true },
  },
});
