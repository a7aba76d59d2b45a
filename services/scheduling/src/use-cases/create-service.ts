import { type CreateService, type Quotas, toMinor } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { invalid } from '@frontdesk/service';
import { insertService } from '../data/service.repository.ts';
import { lockBusiness } from '../data/settings.repository.ts';
import { amountMessage, type ServiceAdminRow } from '../domain/service.ts';
import { changePerformers } from './change-performers.ts';
import { withFreeName } from './check-name.ts';
import { requireAddition } from './require-addition.ts';

/** @throws AppError `validation_failed` */
export function priceMinor(price: number, currency: string): number {
  const minor = toMinor(price, currency);
  if (minor === null) throw invalid({ price: [amountMessage('price', currency)] });
  return minor;
}

/** @throws AppError `validation_failed`, `quota_exceeded` */
export async function createService(
  tx: TenantTransaction,
  { price, description = null, performers, ...input }: CreateService,
  { currency, quotas }: { currency: string; quotas: Quotas },
): Promise<ServiceAdminRow> {
  const fields = { ...input, description, currency, price_minor: priceMinor(price, currency) };
  await lockBusiness(tx);
  await requireAddition(tx, 'services', { isActive: fields.is_active, quotas });
  const row = await withFreeName(insertService(tx, fields));
  if (performers) await changePerformers(tx, row.id, performers);
  return { ...row, coming_appointments: 0 };
}
