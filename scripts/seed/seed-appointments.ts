import { type Appointment, operations } from '@frontdesk/contracts';
import { requestOf } from '@frontdesk/service';
import { everyPage } from '../every-page.ts';
import type { PlannedAppointment } from './appointments.ts';
import type { SeedClients } from './clients.ts';
import { inParallel } from './in-parallel.ts';

const CONCURRENCY = 4;

/** Ids by what the plan calls them: names, and positions in the list of customers. */
export interface Ids {
  customers: readonly number[];
  services: ReadonlyMap<string, number>;
  staff: ReadonlyMap<string, number>;
}

/** Books what the tenant doesn't have yet and gives each appointment its planned status. */
export async function seedAppointments(
  { scheduling }: SeedClients,
  tenantId: number,
  plan: readonly PlannedAppointment[],
  ids: Ids,
): Promise<void> {
  const existing = await everyPage((query) =>
    scheduling.request(requestOf(operations.listAppointments, { tenantId, query })),
  );
  const bookedByStart = new Map(existing.map((booked) => [startOf(booked), booked]));

  const book = (planned: PlannedAppointment): Promise<Appointment> =>
    scheduling.request({
      ...requestOf(operations.createAppointment, { tenantId }),
      body: {
        customer_id: ids.customers[planned.customer],
        service_id: ids.services.get(planned.service),
        staff_id: ids.staff.get(planned.staff),
        appointment_date: planned.date,
        appointment_time: planned.time,
        notes: planned.notes,
      },
    });

  await inParallel(plan, CONCURRENCY, async (planned) => {
    const start = startOf({
      staff_id: ids.staff.get(planned.staff) ?? null,
      appointment_date: planned.date,
      appointment_time: planned.time,
    });
    const booked = bookedByStart.get(start) ?? (await book(planned));
    if (booked.status === planned.status) return;
    const asked = { tenantId, id: booked.id, body: { status: planned.status } };
    await scheduling.request(requestOf(operations.updateAppointmentStatus, asked));
  });
}

/** The plan has one appointment at most for each staff member and start. */
const startOf = (at: Pick<Appointment, 'staff_id' | 'appointment_date' | 'appointment_time'>) =>
  `${at.staff_id} ${at.appointment_date} ${at.appointment_time}`;
