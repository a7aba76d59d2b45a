import type { CustomersClient } from '../clients/customers.client.ts';
import { orNull } from '../clients/or-null.ts';
import type { CalendarOwner, SchedulingClient } from '../clients/scheduling.client.ts';
import { customerNames } from '../customers/customer-names.ts';
import type { By } from '../session/session.rules.ts';
import type { ShownConflicts } from './conflicts.rules.ts';

interface Clients {
  calendars: Pick<SchedulingClient['calendars'], 'conflicts'>;
  customers: Pick<CustomersClient, 'byIds'>;
}

/**
 * Appointments that the calendar as it is now wouldn't offer, and whose they are; null where scheduling
 * can't say in time.
 */
export async function loadConflicts(
  { calendars, customers }: Clients,
  by: By,
  owner: CalendarOwner,
): Promise<Omit<ShownConflicts, 'region'> | null> {
  const conflicts = await orNull(calendars.conflicts(by, owner));
  if (conflicts === null) return null;
  const ids = new Set(conflicts.appointments.map(({ customer_id }) => customer_id));
  return { ...conflicts, customers: await customerNames(customers, by, [...ids]) };
}
