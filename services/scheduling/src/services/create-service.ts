import { type CreateService, type PerformerChange, type Quotas, toMinor } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { invalid } from '@frontdesk/service';
import { lockBusiness } from '../booking-settings/booking-settings.repository.ts';
import { requireAddition, withFreeName } from './named-records.ts';
import { addPerformers, findStaffIds, removePerformers } from './performers.repository.ts';
import { countServices, insertService } from './service.repository.ts';
import { noAmount, type ServiceAdminRow } from './service.rules.ts';

/** @throws AppError `validation_failed` */
export function priceMinor(price: number, currency: string): number {
  const minor = toMinor(price, currency);
  if (minor === null) throw invalid({ price: [noAmount('price', currency)] });
  return minor;
}

/** @throws AppError `validation_failed`, `quota_exceeded` */
export async function createService(
  tx: TenantTransaction,
  { price, description = null, category = null, performers, ...input }: CreateService,
  { currency, quotas }: { currency: string; quotas: Quotas },
): Promise<ServiceAdminRow> {
  const fields = { ...input, description, category, currency, price_minor: priceMinor(price, currency) };
  await lockBusiness(tx);
  requireAddition('services', await countServices(tx), { isActive: fields.is_active, quotas });
  const row = await withFreeName(insertService(tx, fields));
  if (performers) await changePerformers(tx, row.id, performers);
  return { ...row, coming_appointments: 0 };
}

/** Lock the business first. @throws AppError `validation_failed` where staff are to be added that it doesn't have */
export async function changePerformers(
  tx: TenantTransaction,
  serviceId: number,
  { add, remove }: PerformerChange,
): Promise<void> {
  const present = new Set(add.length > 0 ? (await findStaffIds(tx, add)).map(({ id }) => id) : []);
  if (!add.every((id) => present.has(id)))
    throw invalid({
      performers: [
        'Someone among them was deleted meanwhile. Check who performs the service and save again.',
      ],
    });
  await addPerformers(tx, serviceId, add);
  await removePerformers(tx, serviceId, remove);
}
