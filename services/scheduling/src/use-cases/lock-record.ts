import type { TenantReads, TenantTransaction } from '@frontdesk/database';
import { notFound, type RequireVersion } from '@frontdesk/service';
import { findServiceForAdmin, lockServices } from '../data/service.repository.ts';
import { lockBusiness } from '../data/settings.repository.ts';
import { findStaffMemberForAdmin, lockStaff } from '../data/staff.repository.ts';

const locked =
  <Row extends { version: number }>(
    resource: string,
    lock: (tx: TenantTransaction, ids: number[]) => Promise<unknown>,
    find: (db: TenantReads, id: number) => Promise<Row | null>,
  ) =>
  async (tx: TenantTransaction, id: number, requireVersion: RequireVersion): Promise<Row> => {
    await lockBusiness(tx);
    await lock(tx, [id]);
    const row = await find(tx, id);
    if (row === null) throw notFound(resource);
    requireVersion(row.version);
    return row;
  };

/**
 * The service, held until the transaction ends. Bookings of it are in before it is read, or wait: `coming_appointments`
 * stays true as long as it is held. Likewise a staff member.
 * @throws AppError `not_found`, `precondition_failed`
 */
export const lockService = locked('Service', lockServices, findServiceForAdmin);
export const lockStaffMember = locked('Staff member', lockStaff, findStaffMemberForAdmin);
