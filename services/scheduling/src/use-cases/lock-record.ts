import type { TenantTransaction } from '@frontdesk/database';
import { notFound, type RequireVersion } from '@frontdesk/service';
import { findService, serviceRecords } from '../data/service-admin.repository.ts';
import { lockBusiness } from '../data/settings.repository.ts';
import { findStaffMember, staffRecords } from '../data/staff-admin.repository.ts';

/** How each kind of record is held, and found again once it is. */
const KINDS = {
  Service: { records: serviceRecords, find: findService },
  'Staff member': { records: staffRecords, find: findStaffMember },
} as const;

type Kind = keyof typeof KINDS;
type RowOf<K extends Kind> = NonNullable<Awaited<ReturnType<(typeof KINDS)[K]['find']>>>;

/**
 * The record, held until the transaction ends. Bookings of it are in before it is read, or wait: `coming_appointments`
 * stays true as long as it is held.
 * @throws AppError `not_found`, `precondition_failed`
 */
export async function lockRecord<K extends Kind>(
  tx: TenantTransaction,
  kind: K,
  id: number,
  requireVersion: RequireVersion,
): Promise<RowOf<K>> {
  const { records, find } = KINDS[kind];
  await lockBusiness(tx);
  await records.lock(tx, [id]);
  const row = await find(tx, id);
  if (row === null) throw notFound(kind);
  requireVersion(row.version);
  return row as RowOf<K>;
}
