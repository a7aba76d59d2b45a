import type { CreateHold } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { AppError, requireStorage } from '@frontdesk/service';
import type { TenantProfile } from '@frontdesk/tenants';
import { wishOfRequest } from '../appointments/appointment.rules.ts';
import { planUnderLock, requirePlan } from '../appointments/plan-booking.ts';
import { type AlternativesSearch, slotUnavailable } from '../appointments/slot-unavailable.ts';
import { countOpen, insertHold, queueForHold } from './hold.repository.ts';
import { type Holder, type HoldRow, holderText, requireFewHolds } from './hold.rules.ts';

/**
 * Keeps a place free, by the rules of a booking.
 * @throws AppError `holds_off`; `validation_failed`, with alternatives where only the time is not offered; `slot_unavailable` with
 * alternatives; `quota_exceeded`
 */
export async function placeHold(
  tx: TenantTransaction,
  wanted: CreateHold,
  context: {
    tenant: Pick<TenantProfile, 'timezone' | 'quotas' | 'storage_full'>;
    search: AlternativesSearch;
    holder: Holder;
  },
): Promise<HoldRow> {
  const { tenant, search, holder } = context;
  // Sent in this order: what is counted is what there is once it is this one's turn.
  const [, open, planned] = await Promise.all([
    queueForHold(tx),
    countOpen(tx, holderText(holder)),
    planUnderLock(tx, wishOfRequest(wanted), { timezone: tenant.timezone }),
  ]);
  if (open === null) throw new AppError('holds_off', 'Holds are turned off on this system.');
  const plan = requirePlan(planned, { search });
  requireFewHolds(holder, open);
  // What can't be booked is not held.
  requireStorage(tenant);
  const row = await insertHold(tx, plan, { seconds: wanted.seconds, holder: holderText(holder) });
  if (row === null) throw slotUnavailable(search, plan);
  return row;
}
