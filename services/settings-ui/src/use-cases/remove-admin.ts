import type { RemovedRecord } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { AppError, invalid, notFound } from '@frontdesk/service';
import { deleteAdmin, lockAdmins } from '../data/admin.repository.ts';

/**
 * Takes an admin's access away; their sessions are over with that, and their invitations void. Nobody removes themselves,
 * so that one always stays: two who remove each other wait for one another, and the second is no admin any more.
 * @throws AppError 422 where it is oneself, 404 where the tenant has no such admin, 401 where `by` is none
 */
export async function removeAdmin(
  tx: TenantTransaction,
  { by, id }: { by: number; id: number },
): Promise<RemovedRecord> {
  if (id === by) throw invalid({ admin: ['You can’t remove yourself; another admin can.'] });
  const admins = await lockAdmins(tx);
  if (!admins.includes(by)) throw new AppError('unauthorized', 'Please sign in.');
  if (!admins.includes(id)) throw notFound('Admin');
  await deleteAdmin(tx, id);
  return { id, deleted: true };
}
