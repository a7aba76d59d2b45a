import { DAY_MS, idOf } from './appointments-data.ts';
import { bookingBody, paths } from './requests.ts';

export type Send = (
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
