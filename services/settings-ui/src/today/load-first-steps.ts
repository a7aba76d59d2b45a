import type { AppointmentStatistics, Bookability } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { countAdmins } from '../accounts/member-count.repository.ts';
import type { Clients } from '../clients/clients.ts';
import { orAbsent, orNull, whereOpen } from '../clients/or-null.ts';
import type { By } from '../session/session.rules.ts';
import { type FirstStep, firstStepsOf } from './first-steps.rules.ts';

/** Any appointment around today, cancelled ones too. */
export const isInUse = ({ days }: AppointmentStatistics): boolean =>
  days.some((day) => day.scheduled + day.completed + day.cancelled + day.no_show > 0);

/**
 * The first steps of a business without appointments around today; null for one that is set up, and where scheduling
 * can't say.
 */
export async function loadFirstSteps(
  { database, ...clients }: Clients & { database: Database },
  by: By,
  bookability: Bookability,
): Promise<FirstStep[] | null> {
  const { gateway, scheduling, calls, statistics, webhooks } = clients;
  const hasAppointments = await orNull(statistics.hasAppointments(by));
  // Most businesses with an empty day have booked before: they need none of the other questions.
  if (hasAppointments === null) return null;
  if (hasAppointments && bookability.obstacle === null) return null;
  const [calendar, policy, ofCalls, ofGateway, endpoints, admins] = await Promise.all([
    orNull(scheduling.calendars.find(by, null)),
    // A process of the release before doesn't know the way.
    orAbsent(scheduling.policy(by)),
    orNull(calls.quotaUsage(by)),
    orNull(gateway.quotaUsage(by)),
    whereOpen(by, 'webhooks:write', () => orNull(webhooks.endpoints(by)), []),
    countAdmins(database.forTenant(by.tenantId)),
  ]);
  if (!calendar) return null;
  const keys = ofGateway?.api_keys ?? null;
  return firstStepsOf({
    bookability,
    hasAppointments,
    admins,
    openingHours: calendar.record.hours,
    policyChosen: policy?.is_chosen ?? null,
    callSources: ofCalls?.call_sources ?? null,
    programs: keys === null || endpoints === null ? null : keys + endpoints.length,
  });
}
