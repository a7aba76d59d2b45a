import { CUSTOMERS, DAY_MS, idOf } from './appointments-data.ts';

const day = (ahead: number) => new Date(Date.now() + ahead * DAY_MS).toISOString().slice(0, 10);
const pad = (hour: number) => String(hour).padStart(2, '0');

/** Paths of API v1 over the loaded data: the tenants take turns. */
export const paths = {
  appointments: '/api/v1/appointments',
  slotsOfDay: (tenant: number, n: number) =>
    `/api/v1/appointments/slots?date=${day(1 + (n % 60))}&service_id=${idOf(tenant, 2)}`,
  slotsOfMonth: (tenant: number) =>
    `/api/v1/appointments/slots?date=${day(1)}&date_to=${day(31)}&service_id=${idOf(tenant, 2)}`,
};

/** Half past, where nothing is loaded and what another run has booked is tried once more in vain. */
export function bookingBody(tenant: number, n: number) {
  return {
    customer_id: idOf(tenant, 1 + (n % CUSTOMERS)),
    service_id: idOf(tenant, 1),
    appointment_date: day(1 + (n % 170)),
    appointment_time: `${pad(9 + (n % 9))}:30`,
  };
}

type Send = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
) => Promise<{ id?: number }>;

/** One request for every way in which scheduling reads appointments: lists, slots, overlaps, moves, staff. */
export async function everyQuery(tenant: number, send: Send): Promise<void> {
  const { appointment_date: date } = bookingBody(tenant, 40);
  const staff_id = String(idOf(tenant, 3));
  const filters = [{ status: 'cancelled' }, { date }, { staff_id }, { customer_id: String(idOf(tenant, 1)) }];
  const updated_since = new Date(Date.now() - DAY_MS).toISOString();
  for (let subset = 0; subset < 2 ** filters.length; subset += 1) {
    const chosen = filters.filter((_filter, index) => subset & (1 << index));
    for (const extra of [{}, { sort: 'starts_at' }, { sort: 'updated_at' }, { updated_since }]) {
      const query = new URLSearchParams(Object.assign({}, ...chosen, extra) as Record<string, string>);
      await send('GET', `${paths.appointments}?${query}`);
    }
  }
  await send('GET', paths.slotsOfDay(tenant, 3));
  await send('GET', paths.slotsOfMonth(tenant));
  await send('GET', `/internal/tenants/${tenant}/days/${date}`);
  await send('GET', '/api/v1/staff');
  await send('GET', `/api/v1/staff/${staff_id}`);
  const { id } = await send('POST', paths.appointments, bookingBody(tenant, 40));
  const path = `${paths.appointments}/${id}`;
  await send('GET', path);
  await send('PATCH', path, { appointment_time: '06:30' });
  await send('DELETE', path);
  await send('PATCH', path, { status: 'scheduled' });
  await send('PATCH', `/internal/tenants/${tenant}/staff/${staff_id}`, { is_active: true });
  await send('PATCH', `/internal/tenants/${tenant}/services/${idOf(tenant, 1)}`, { is_active: true });
  await send('POST', paths.appointments, {
    ...bookingBody(tenant, 40),
    appointment_time: '04:30',
    staff_id: Number(staff_id),
  });
}
