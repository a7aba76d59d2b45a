import type { AppointmentHistory } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { listAdmins } from '../admins/admin.repository.ts';
import type { Clients } from '../clients/clients.ts';
import { orNull } from '../clients/or-null.ts';
import type { HistoryNames } from './history.view.ts';

type HistoryDeps = Pick<Clients, 'gateway' | 'scheduling'> & { database: Database };

/** The names in a history; each list is asked for only where an entry names one of it. */
export async function loadHistoryNames(
  { database, gateway, scheduling }: HistoryDeps,
  tenantId: number,
  history: AppointmentHistory | null,
): Promise<HistoryNames> {
  const entries = history ?? [];
  const isBy = (role: string) => entries.some(({ by }) => by?.role === role && by.id !== null);
  const isAbout = (field: string) =>
    entries.some(({ changes }) => changes.some((one) => one.field === field));
  const [admins, keys, staff, services] = await Promise.all([
    isBy('admin') ? listAdmins(database.forTenant(tenantId)) : [],
    isBy('integrator') ? orNull(gateway.keys(tenantId)) : [],
    isAbout('staff_id') ? orNull(scheduling.staff.list(tenantId)) : [],
    isAbout('service_id') ? orNull(scheduling.services.list(tenantId)) : [],
  ]);
  const named = (records: { id: number; name: string }[] | null) =>
    new Map(records?.map(({ id, name }) => [id, name]));
  return {
    admins: new Map(admins.map(({ id, email }) => [id, email])),
    keys: named(keys),
    staff: named(staff),
    services: named(services),
  };
}
