import type { AppointmentStatistics, Bookability } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { countAdmins } from '../accounts/member-count.repository.ts';
import type { Clients } from '../clients/clients.ts';
import { orAbsent, orNull } from '../clients/or-null.ts';
import { BUSINESS } from '../records/record-form.view.ts';
import type { By } from '../session/session.rules.ts';
import { ifAllowed, mayUse } from '../ui/page-scopes.rules.ts';
import { type FirstStep, firstStepsOf } from './first-steps.rules.ts';

/** Any appointment around today, cancelled ones too. */
export const isInUse = ({ days }: AppointmentStatistics): boolean =>
  days.some((day) => day.scheduled + day.completed + day.cancelled + day.no_show > 0);

/**
 * The first steps of a business without appointments around today; null for one that is set up, where scheduling can't
 * say, and for whoever doesn't set it up. A step on a page that they may not see is left out.
 */
export async function loadFirstSteps(
  { database, ...clients }: Clients & { database: Database },
  by: By,
  bookability: Bookability,
): Promise<FirstStep[] | null> {
  const { gateway, scheduling, calls, statistics, webhooks } = clients;
  if (!mayUse(by, 'GET', BUSINESS)) return null;
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
    ifAllowed(by, 'webhooks:write', () => orNull(webhooks.endpoints(by))),
    ifAllowed(by, 'settings:members', () => countAdmins(database.forTenant(by.tenantId))),
  ]);
  if (!calendar) return null;
  const keys = ofGateway?.api_keys;
  return firstStepsOf({
    bookability,
    hasAppointments,
    admins: admins ?? null,
    openingHours: calendar.record.hours,
    policyChosen: policy?.is_chosen ?? null,
    callSources: ofCalls?.call_sources ?? null,
    programs: keys === undefined || !endpoints ? null : keys + endpoints.length,
  });
}
