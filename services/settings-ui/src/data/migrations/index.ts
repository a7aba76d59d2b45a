import { CreateAdminUsers1790000600001 } from './create-admin-users.ts';
import { CreateAuditLog1790000600002 } from './create-audit-log.ts';
import { CreateInvitations1790000600003 } from './create-invitations.ts';
import { FoldFailedAttempts1790000600011 } from './fold-failed-attempts.ts';
import { IndexAuditLog1790000600014 } from './index-audit-log.ts';

/** No outbox and no idempotency keys: every change but those of its own admins is another service's. */
export const migrations = [
  CreateAdminUsers1790000600001,
  CreateAuditLog1790000600002,
  CreateInvitations1790000600003,
  FoldFailedAttempts1790000600011,
  IndexAuditLog1790000600014,
];
