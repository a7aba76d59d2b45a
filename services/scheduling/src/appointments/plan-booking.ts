import type { TenantReads, TenantTransaction } from '@frontdesk/database';
import { invalid } from '@frontdesk/service';
import type { ServiceTerms } from '../availability/buffers.rules.ts';
import { findCatalogue } from '../availability/catalogue.repository.ts';
import { shareBusiness } from '../booking-settings/booking-settings.repository.ts';
import { priceMinor } from '../services/create-service.ts';
import type { Wish } from './appointment.rules.ts';
import { type BookingPlan, type Planned, planFor } from './booking-plan.rules.ts';
import { type AlternativesSearch, slotNotOffered } from './slot-unavailable.ts';

interface PlanContext {
  timezone: string;
  /** The terms of an earlier booking, where they stay in force. */
  terms?: ServiceTerms | undefined;
}

/**
 * Who could take the wish and when that is, clashes aside, or what is wrong with it; with the business's settings locked until the
 * transaction ends. Sent in this order: the plan is read under the lock.
 */
export async function planUnderLock(
  tx: TenantTransaction,
  wish: Wish,
  context: PlanContext,
): Promise<Planned> {
  const [, planned] = await Promise.all([shareBusiness(tx), planBooking(tx, wish, context)]);
  return planned;
}

async function planBooking(db: TenantReads, wish: Wish, context: PlanContext): Promise<Planned> {
  const { timezone, terms } = context;
  const catalogue = await findCatalogue(db, wish, { timezone, from: wish.date, to: wish.date });
  const service = terms ?? (catalogue?.service ? wishedTerms(catalogue.service, wish) : null);
  return planFor(catalogue && { ...catalogue, service }, wish, { timezone, now: Date.now() });
}

/** The service's terms, but for what the wish says otherwise. @throws AppError `validation_failed` for a price finer than the currency */
const wishedTerms = (service: ServiceTerms, { durationMinutes, price }: Wish): ServiceTerms => ({
  ...service,
  durationMinutes: durationMinutes ?? service.durationMinutes,
  priceMinor: price === undefined ? service.priceMinor : priceMinor(price, service.currency),
});

/**
 * @param context.movedId the appointment that is moved, which blocks no alternative
 * @throws AppError `validation_failed` naming all that is wrong, with alternatives where that is only a time that is not offered
 */
export function requirePlan(
  { plan, errors, notOffered }: Planned,
  { search, movedId }: { search: AlternativesSearch; movedId?: number },
): BookingPlan {
  if (notOffered) throw slotNotOffered(search, { ...notOffered, ...(movedId && { movedId }) }, errors);
  if (plan === null || Object.keys(errors).length > 0) throw invalid(errors);
  return plan;
}
