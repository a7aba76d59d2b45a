import type { FieldErrors } from '@frontdesk/contracts';
import { invalid } from '@frontdesk/service';
import { findCatalogue } from '../data/catalogue.repository.ts';
import type { TenantReads } from '../data/tenant-reads.ts';
import type { Wish } from '../domain/appointment.ts';
import type { ServiceTerms } from '../domain/offer.ts';
import { type Plan, planFor } from '../domain/plan.ts';

interface PlanContext {
  timezone: string;
  /** The terms of an earlier booking, where they stay in force. */
  terms?: ServiceTerms | undefined;
  /** What the caller has found wrong already. */
  errors?: FieldErrors;
}

/**
 * Who could take the wish and when that is, clashes aside. One query.
 * @throws AppError `validation_failed` naming all that is wrong with it.
 */
export async function planBooking(db: TenantReads, wish: Wish, context: PlanContext): Promise<Plan> {
  const { timezone, terms, errors: foundErrors = {} } = context;
  const now = Date.now();
  const catalogue = await findCatalogue(db, wish.serviceId, { timezone, from: wish.date, to: wish.date });
  const current = catalogue && terms ? { ...catalogue, service: terms } : catalogue;
  const { plan, errors } = planFor(current, wish, { timezone, now });
  const allErrors = { ...foundErrors, ...errors };
  if (plan === null || Object.keys(allErrors).length > 0) throw invalid(allErrors);
  return plan;
}
