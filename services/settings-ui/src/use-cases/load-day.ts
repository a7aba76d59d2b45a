import type { Day, TenantView } from '@frontdesk/contracts';
import type { AppointmentsClient } from '../clients/appointments.client.ts';
import type { Clients } from '../clients/clients.ts';
import { orNull } from './or-null.ts';

/** What the page of a day is made of. Null: its service couldn't say in time. */
export interface LoadedDay {
  tenant: TenantView | null;
  day: Day | null;
  /** By id. */
  customers: ReadonlyMap<number, string> | null;
}

/** A day, and who its customers are. */
export async function loadDay(
  { gateway, appointments }: Clients,
  tenantId: number,
  date: string,
): Promise<LoadedDay> {
  const [tenant, day] = await Promise.all([
    orNull(gateway.tenant(tenantId)),
    orNull(appointments.day(tenantId, date)),
  ]);
  const ids = new Set(
    day?.columns.flatMap(({ appointments }) => appointments.map(({ customer_id }) => customer_id)),
  );
  return { tenant, day, customers: await customerNames(appointments, tenantId, [...ids]) };
}

/** Names by id; null where crm can't say. */
export async function customerNames(
  appointments: Pick<AppointmentsClient, 'customers'>,
  tenantId: number,
  ids: number[],
): Promise<ReadonlyMap<number, string> | null> {
  if (ids.length === 0) return new Map();
  const customers = await orNull(appointments.customers(tenantId, ids));
  return customers && new Map(customers.map(({ id, name }) => [id, name]));
}
