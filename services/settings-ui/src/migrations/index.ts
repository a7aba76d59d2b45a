import { addColumn, addIndex } from '@frontdesk/database';
import { baseline } from './baseline.ts';
import { CreateAccounts1790000600031 } from './create-accounts.ts';
import { CreateEmails1790000600041 } from './create-emails.ts';
import { CreateKeyNotices1790000600061 } from './create-key-notices.ts';
import { CreateWrongPasswords1790000600042 } from './create-wrong-passwords.ts';

/** No outbox and no idempotency keys: every change but those of its own admins is another service's. */
export const migrations = [
  baseline,
  // Of entries that stand for many actions on appointments or customers. Null in all others.
  addColumn('KeepFoldedRecords1790000600015', 'audit_log', { name: 'record_ids', type: 'bigint[]' }),
  addColumn('CountFoldedDone1790000600016', 'audit_log', { name: 'done_count', type: 'int' }),
  addColumn('CountFoldedRefused1790000600017', 'audit_log', { name: 'refused_count', type: 'int' }),
  // By which service an operator's change was recorded, and under which number: it is collected once.
  addColumn('CollectOperatorChanges1790000600021', 'audit_log', { name: 'origin', type: 'text' }),
  addIndex('IndexAuditOrigins1790000600022', {
    name: 'audit_log_origin',
    on: 'audit_log (tenant_id, origin) where origin is not null',
    isUnique: true,
  }),
  // Of entries that stand for many actions: from where, and how many records exports have handed out.
  // Null in all others.
  addColumn('KeepFoldedAddresses1790000600023', 'audit_log', { name: 'addresses', type: 'text[]' }),
  addColumn('CountFoldedExports1790000600024', 'audit_log', { name: 'exported_count', type: 'bigint' }),
  // The page shows entries by their instant.
  addIndex('OrderAuditLog1790000600025', { name: 'audit_log_newest', on: 'audit_log (tenant_id, at, id)' }),
  CreateAccounts1790000600031,
  // Who it was, whatever their email is now. Null where nobody was signed in, and in entries of 0.1.0.
  addColumn('KeepAuditAccounts1790000600032', 'audit_log', { name: 'account_id', type: 'bigint' }),
  addColumn('KeepAuditMemberships1790000600033', 'audit_log', { name: 'membership_id', type: 'bigint' }),
  CreateEmails1790000600041,
  CreateWrongPasswords1790000600042,
  CreateKeyNotices1790000600061,
  // Each one of MEMBER_ROLES (libs/contracts). Who was there before roles may do everything.
  addColumn('GiveRoles1790000600062', 'memberships', { name: 'role', type: "text not null default 'owner'" }),
  addColumn('InviteToRoles1790000600063', 'admin_invitations', {
    name: 'role',
    type: "text not null default 'owner'",
  }),
];
