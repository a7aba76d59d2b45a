import { EntitySchema } from 'typeorm';
import type { AdminCredentials } from './admin.rules.ts';

/** Without the link for a new password, which only `reset-link.repository.ts` reads and writes. */
export const adminEntity = new EntitySchema<AdminCredentials>({
  name: 'admin',
  tableName: 'admin_users',
  columns: {
    tenant_id: { type: 'bigint', primary: true },
    id: { type: 'bigint', primary: true, generated: 'increment' },
    email: { type: 'text' },
    email_folded: { type: 'text' },
    password_hash: { type: 'text', select: false },
    credentials_version: { type: 'int', default: 1 },
    last_sign_in_at: { type: 'timestamptz', nullable: true },
    created_at: { type: 'timestamptz', createDate: true },
  },
});
