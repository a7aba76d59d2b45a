import type { AppointmentAdmin, AppointmentHistory } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { listMembers } from '../accounts/membership.repository.ts';
import type { Clients } from '../clients/clients.ts';
import { orAbsent, orNull } from '../clients/or-null.ts';
import { type CustomerSummary, loadSummary } from '../customers/load-customer.ts';
import { namesOf } from '../records/names.rules.ts';
import { type Region, regionOf } from '../region/region.rules.ts';
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
export async function loadAppointment(
  deps: LoadDeps,
  tenantId: number,
  id: number,
): Promise<LoadedAppointment> {
  const [{ record: appointment, etag }, tenant, history, calls] = await Promise.all([
    deps.appointments.appointment(tenantId, id),
    orNull(deps.gateway.tenant(tenantId)),
    orAbsent(deps.appointments.history(tenantId, id)),
    orNull(deps.calls.list(tenantId, { appointment_id: String(id), per_page: '1' })),
  ]);
  const [customerSummary, historyNames] = await Promise.all([
    loadSummary(deps, tenantId, appointment.customer_id),
    loadHistoryNames(deps, tenantId, history),
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
  tenantId: number,
  history: AppointmentHistory | null,
): Promise<HistoryNames> {
  const entries = history ?? [];
  const isBy = (role: string) => entries.some(({ by }) => by?.role === role && by.id !== null);
  const isAbout = (field: string) =>
    entries.some(({ changes }) => changes.some((one) => one.field === field));
  const [admins, keys, staff, services] = await Promise.all([
    isBy('admin') ? listMembers(database.forTenant(tenantId)) : [],
    isBy('integrator') ? orNull(gateway.keys(tenantId)) : [],
    isAbout('staff_id') ? orNull(scheduling.staff.list(tenantId)) : [],
    isAbout('service_id') ? orNull(scheduling.services.list(tenantId)) : [],
  ]);
  return {
    admins: new Map(admins.map(({ id, email }) => [id, email])),
    keys: namesOf(keys),
    staff: namesOf(staff),
    services: namesOf(services),
  };
}
