import {
  type AppointmentAdmin,
  type NamedCustomer,
  type SlotsAdminQuery,
  takesSlot,
} from '@frontdesk/contracts';
import type { NextFreeTimes } from '../booking/find-free-times.ts';
import { loadFreeTimes } from '../booking/load-booking.ts';
import type { Clients } from '../clients/clients.ts';
import { orNull } from '../clients/or-null.ts';
import { dateIn } from '../region/dates.rules.ts';
import { type Region, regionOf } from '../region/region.rules.ts';
import type { By } from '../session/session.rules.ts';
import { ANYONE, isWhereItIs, type MoveQuery } from './moved-start.rules.ts';

export interface LoadedMove {
  appointment: AppointmentAdmin;
  etag: string;
  /** Null where crm couldn't say in time. */
  customer: NamedCustomer | null;
  region: Region;
  today: string;
  /** Who may have it: all who perform the service, and who has it now. */
  staff: { id: number; name: string }[];
  /** Whose times these are, from which date on. */
  chosen: number | typeof ANYONE;
  from: string;
  /** The time of `from` that was asked for. */
  time: string | undefined;
  /** Who gets the appointment at any other time: its present staff member, unless another is chosen. */
  keeper: number | typeof ANYONE;
  /** Null where scheduling couldn't say in time, or the service is no longer booked. */
  free: NextFreeTimes | null;
}

/** Where an appointment could be instead: with the same staff member, unless another is chosen. @throws AppError 404 */
export async function loadMove(
  clients: Clients,
  by: By,
  id: number,
  query: Partial<MoveQuery>,
): Promise<LoadedMove> {
  const { gateway, scheduling, appointments, customers } = clients;
  const found = appointments.appointment(by, id);
  const [{ record: appointment, etag }, customer, tenant, bookability] = await Promise.all([
    found,
    orNull(found.then(({ record }) => customers.byIds(by, [record.customer_id]))),
    orNull(gateway.tenant(by)),
    orNull(scheduling.bookability(by)),
  ]);
  const region = regionOf({ tenant }, tenant?.timezone ?? appointment.timezone);
  const today = dateIn(region.zone, Date.now());
  const judged = bookability?.services.find((service) => service.id === appointment.service_id);
  const performers = bookability?.staff.filter((member) => judged?.staff_ids.includes(member.id)) ?? [];
  const { staff_id, staff_name } = appointment;
  const wanted = query.staff_id ?? staff_id ?? ANYONE;
  const isPerformer = performers.some((member) => member.id === wanted);
  const chosen = isPerformer || bookability === null ? wanted : ANYONE;
  const own = dateIn(region.zone, appointment.starts_at);
  const isPast = own < today;
  const from = query.date ?? (isPast ? today : own);
  const asked = { service_id: appointment.service_id, staff_id: chosen === ANYONE ? undefined : chosen };
  const isTaking = takesSlot(appointment.status);
  // Its own time blocks none that overlap it; where it already is, is no other time.
  const elsewhere = {
    async slots(asker: By, query: SlotsAdminQuery) {
      const slots = await appointments.slots(asker, { ...query, moved_id: id });
      return slots.filter((slot) => !(isTaking && isWhereItIs(appointment, slot, chosen)));
    },
  };
  const free =
    judged?.obstacle === null ? await loadFreeTimes({ appointments: elsewhere }, by, asked, from) : null;
  const current = performers.some((member) => member.id === staff_id) || staff_id === null;
  const staff = current
    ? performers
    : [{ id: staff_id, name: staff_name ?? `Staff ${staff_id}` }, ...performers];
  const keeper = chosen === ANYONE && query.staff_id !== ANYONE ? (staff_id ?? ANYONE) : chosen;
  return {
    appointment,
    etag,
    customer: customer?.[0] ?? null,
    region,
    today,
    staff,
    chosen,
    keeper,
    from,
    time: query.time,
    free,
  };
}
