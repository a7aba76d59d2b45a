import type { AppointmentStatistics, Bookability } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import type { Clients } from '../clients/clients.ts';
import { countAdmins } from '../data/admin-count.repository.ts';
import { type FirstStep, firstStepsOf } from '../domain/overview/first-steps.ts';
import { orAbsent, orNull } from './or-null.ts';

interface Known {
  appointments: AppointmentStatistics | null;
  bookability: Bookability | null;
}

/** Any appointment around today, cancelled ones too. */
const isInUse = ({ days }: AppointmentStatistics): boolean =>
  days.some((day) => day.scheduled + day.completed + day.cancelled + day.no_show > 0);

/**
 * The first steps of a new business; null for one that is set up, and where scheduling can't say. A business in use is told by what
 * the overview knows anyway.
 */
export async function loadFirstSteps(
  { database, ...clients }: Clients & { database: Database },
  tenantId: number,
  { appointments, bookability }: Known,
): Promise<FirstStep[] | null> {
  if (!appointments || !bookability || isInUse(appointments)) return null;
  const { gateway, scheduling, calls, statistics, webhooks } = clients;
  const [calendar, policy, hasAppointments, ofCalls, ofGateway, endpoints, admins] = await Promise.all([
    orNull(scheduling.calendars.find(tenantId, null)),
    // A process of the release before doesn't know the way.
    orAbsent(scheduling.policy(tenantId)),
    orNull(statistics.hasAppointments(tenantId)),
    orNull(calls.quotaUsage(tenantId)),
    orNull(gateway.quotaUsage(tenantId)),
    orNull(webhooks.endpoints(tenantId)),
    countAdmins(database.forTenant(tenantId)),
  ]);
  if (!calendar || hasAppointments === null) return null;
  const keys = ofGateway?.api_keys ?? null;
  return firstStepsOf({
    ...{ bookability, hasAppointments, admins },
    openingHours: calendar.record.hours,
    policyChosen: policy?.is_chosen ?? null,
    callSources: ofCalls?.call_sources ?? null,
    programs: keys === null || endpoints === null ? null : keys + endpoints.length,
  });
}
