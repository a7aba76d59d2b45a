import type { BusinessDocument } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { invalid } from '@frontdesk/service';
import {
  knownServiceNames,
  lockBusiness,
  type NamedRecord,
  replaceHours,
  replacePerformed,
  storeServices,
  storeStaff,
} from '../data/business.repository.ts';
import { businessErrors, hoursEntries, pricesMinor } from '../domain/business.ts';
import { BUSINESS } from '../domain/slot.ts';

/**
 * Brings services, staff and hours to what the document says, matched by name. What it doesn't name stays as it is.
 * @throws AppError `validation_failed`
 */
export async function importBusiness(
  tx: TenantTransaction,
  document: BusinessDocument,
  currency: string,
): Promise<{ services: NamedRecord[]; staff: NamedRecord[] }> {
  await lockBusiness(tx);
  const errors = businessErrors(document, currency, await knownServiceNames(tx));
  if (Object.keys(errors).length > 0) throw invalid(errors);

  const prices = pricesMinor(document, currency);
  const services = await storeServices(
    tx,
    document.services.map(({ name, description, duration_minutes }, index) => ({
      name,
      description: description ?? null,
      duration_minutes,
      price_minor: prices[index] as number,
      currency,
    })),
  );
  const staff = await storeStaff(
    tx,
    document.staff.map(({ name, specialties }) => ({ name, specialties })),
  );
  const staffIds = new Map(staff.map(({ id, name }) => [name, id]));
  const members = document.staff.map((member) => ({ ...member, id: staffIds.get(member.name) as number }));
  await replacePerformed(
    tx,
    members.map(({ id, services: serviceNames }) => ({ staffId: id, serviceNames })),
  );
  await replaceHours(
    tx,
    new Map([
      [BUSINESS, hoursEntries(document.hours)],
      ...members.map(({ id, hours }) => [id, hoursEntries(hours)] as const),
    ]),
  );
  return { services, staff };
}
