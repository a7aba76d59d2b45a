import type { AppointmentAdmin } from '@frontdesk/contracts';
import type { Clients } from '../clients/clients.ts';
import { orNull } from '../clients/or-null.ts';
import { dateIn } from '../region/dates.rules.ts';
import { type Region, regionOf } from '../region/region.rules.ts';
import type { By } from '../session/session.rules.ts';

export interface LoadedEdit {
  appointment: AppointmentAdmin;
  etag: string;
  region: Region;
  today: string;
  /** What can be booked, and what it is now. Null where scheduling couldn't say in time; so for the staff. */
  services: { id: number; name: string; duration_minutes: number; price: number; currency: string }[] | null;
  /** Who can be booked, and who has it now; empty in a business without staff. */
  staff: { id: number; name: string }[] | null;
}

/** An appointment and what may become of it. @throws AppError 404 */
export async function loadEdit(
  { gateway, scheduling, appointments }: Clients,
  by: By,
  id: number,
): Promise<LoadedEdit> {
  const [{ record: appointment, etag }, tenant, services, bookability] = await Promise.all([
    appointments.appointment(by, id),
    orNull(gateway.tenant(by)),
    orNull(scheduling.services.list(by)),
    orNull(scheduling.bookability(by)),
  ]);
  const region = regionOf({ tenant }, tenant?.timezone ?? appointment.timezone);
  const { service_id, staff_id, staff_name } = appointment;
  const offered = services
    ?.filter((service) => service.is_active || service.id === service_id)
    .toSorted((a, b) => a.name.localeCompare(b.name));
  const isListed = staff_id === null || bookability?.staff.some((member) => member.id === staff_id);
  const others = isListed ? [] : [{ id: staff_id, name: staff_name ?? `Staff member ${staff_id}` }];
  return {
    appointment,
    etag,
    region,
    today: dateIn(region.zone, Date.now()),
    services: offered ?? null,
    staff: bookability && [...others, ...bookability.staff],
  };
}
