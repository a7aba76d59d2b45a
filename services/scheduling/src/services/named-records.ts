import { MAX_NAMED_RECORDS, MAX_STAFF, type Quotas } from '@frontdesk/contracts';
import {
  type Answer,
  isConstraintViolation,
  type TenantReads,
  type TenantTransaction,
} from '@frontdesk/database';
import { etagOf, invalid, notFound, ok, type RequireVersion, requireQuota } from '@frontdesk/service';
import { lockBusiness } from '../booking-settings/booking-settings.repository.ts';

/** What services and staff have in common: a name that no other has, a bound and a quota, a version. */
type Kind = 'services' | 'staff';

const NAME_KEYS = ['services_name_key', 'staff_name_key'];
const MAX_RECORDS: Record<Kind, number> = { services: MAX_NAMED_RECORDS, staff: MAX_STAFF };

/** The write, whose name may be taken: the index decides, so that a race is answered the same. @throws AppError `validation_failed` */
export async function withFreeName<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    if (!NAME_KEYS.some((key) => isConstraintViolation(error, key))) throw error;
    throw invalid({ name: [{ text: 'The name has already been taken.', reason: 'name_taken' }] });
  }
}

interface Counted {
  count: number;
  active: number;
}

/** Checks that one more record may be added. Lock the business first. @throws AppError `validation_failed`, `quota_exceeded` */
export function requireAddition(
  kind: Kind,
  { count, active }: Counted,
  { isActive, quotas }: { isActive: boolean; quotas: Quotas },
): void {
  if (count >= MAX_RECORDS[kind])
    throw invalid({ name: [`A business can have at most ${MAX_RECORDS[kind]} ${kind}.`] });
  if (isActive) requireActivation(kind, { active }, quotas);
}

/** Checks that one more record may be active. Lock the business first. @throws AppError `quota_exceeded` */
export const requireActivation = (kind: Kind, { active }: Pick<Counted, 'active'>, quotas: Quotas): void =>
  requireQuota(kind, { used: active, allowed: quotas[kind] });

interface Entry {
  name: string;
  is_active: boolean;
}

/** Checks the records that an import makes active; those that it deactivates no longer count. @throws AppError `quota_exceeded` */
export function requireImported(
  kind: Kind,
  { before, changed, quotas }: { before: readonly Entry[]; changed: readonly Entry[]; quotas: Quotas },
): void {
  const active = new Set(before.filter((entry) => entry.is_active).map(({ name }) => name));
  const added = changed.filter(({ name, is_active }) => is_active && !active.has(name)).length;
  const ended = changed.filter(({ name, is_active }) => !is_active && active.has(name)).length;
  requireQuota(kind, { used: active.size - ended, added, allowed: quotas[kind] });
}

/**
 * How to take one record, held until the transaction ends. Bookings of it are in before it is read, or wait: `coming_appointments` stays
 * true as long as it is held.
 * @throws AppError `not_found`, `precondition_failed`
 */
export const locked =
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

/** What the POST that made a record answers. `location` is where it is read; `shown` as for `etagOf`. */
export function created<Data>(
  location: string,
  version: number,
  record: Data,
  shown?: object,
): Answer<{ success: true; data: Data }> {
  return { status: 201, body: ok(record), headers: { etag: etagOf(version, shown), location } };
}
