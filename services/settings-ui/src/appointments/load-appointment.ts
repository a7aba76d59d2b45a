import type { AppointmentAdmin, AppointmentHistory } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { listMembers } from '../accounts/membership.repository.ts';
import type { Clients } from '../clients/clients.ts';
import { orAbsent, orNull } from '../clients/or-null.ts';
import { type CustomerSummary, loadSummary } from '../customers/load-customer.ts';
import { namesOf } from '../records/names.rules.ts';
import { type Region, regionOf } from '../region/region.rules.ts';
import type { By } from '../session/session.rules.ts';
import { ifAllowed } from '../ui/page-scopes.rules.ts';
import type { HistoryNames } from './history.view.ts';

type LoadDeps = Clients & { database: Database };

/** An appointment with what its page shows beside it. */
export interface LoadedAppointment {
  appointment: AppointmentAdmin;
  etag: string;
  region: Region;
  customerSummary: CustomerSummary;
  /** The call in which it was booked; null where it was booked in none, or calls can't say. */
  call: { id: number; started_at: string } | null;
  /** Null where scheduling can't say. */
  history: AppointmentHistory | null;
  historyNames: HistoryNames;
}

/** @throws AppError 404 */
export async function loadAppointment(deps: LoadDeps, by: By, id: number): Promise<LoadedAppointment> {
  const [{ record: appointment, etag }, tenant, history, calls] = await Promise.all([
    deps.appointments.appointment(by, id),
    orNull(deps.gateway.tenant(by)),
    orAbsent(deps.appointments.history(by, id)),
    orNull(deps.calls.list(by, { appointment_id: String(id), per_page: '1' })),
  ]);
  const [customerSummary, historyNames] = await Promise.all([
    loadSummary(deps, by, appointment.customer_id),
    loadHistoryNames(deps, by, history),
  ]);
  return {
    appointment,
    etag,
    region: regionOf({ tenant }, tenant?.timezone ?? appointment.timezone),
    customerSummary,
    call: calls?.rows[0] ?? null,
    history,
    historyNames,
  };
}

/** The names in a history; each list is asked for only where an entry names one of it. */
async function loadHistoryNames(
  { database, gateway, scheduling }: LoadDeps,
  by: By,
  history: AppointmentHistory | null,
): Promise<HistoryNames> {
  const entries = history ?? [];
  const isBy = (role: string) => entries.some(({ by }) => by?.role === role && by.id !== null);
  const isAbout = (field: string) =>
    entries.some(({ changes }) => changes.some((one) => one.field === field));
  const [admins, keys, staff, services] = await Promise.all([
    isBy('admin') ? listMembers(database.forTenant(by.tenantId)) : [],
    isBy('integrator') ? ifAllowed(by, 'settings:keys', () => orNull(gateway.keys(by))) : [],
    isAbout('staff_id') ? orNull(scheduling.staff.list(by)) : [],
    isAbout('service_id') ? orNull(scheduling.services.list(by)) : [],
  ]);
  return {
    admins: new Map(admins.map(({ id, email }) => [id, email])),
    keys: namesOf(keys),
    staff: namesOf(staff),
    services: namesOf(services),
  };
}
