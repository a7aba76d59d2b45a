import type { AppointmentHistory } from '@frontdesk/contracts';
import { MONDAY, salonWithAppointment } from '../salon.ts';
import type { SchedulingWorld } from '../scheduling-world.ts';

/** The admin of the pages. */
export const ADMIN_ID = 31;

/** A hairdresser's where Anna has an appointment at 10:00, and what an admin of it does on the pages. */
export async function salonWithDesk(world: SchedulingWorld, fields: object = {}) {
  const salon = await salonWithAppointment(world, fields);
  const admin = {
    issuer: 'settings-ui',
    role: 'admin',
    tenantId: salon.tenantId,
    userId: ADMIN_ID,
  } as const;
  const send = (
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ) =>
    world.send('internal', admin, {
      method,
      url: `/internal/tenants/${salon.tenantId}${path}`,
      body,
      headers,
    });
  return {
    ...salon,
    send,
    /** What the pages change, of the appointment at 10:00. */
    edit: (patch: object, headers?: Record<string, string>) =>
      send('PATCH', `/appointments/${salon.id}`, patch, headers),
    /** As the pages see it. */
    seen: async () => (await send('GET', `/appointments/${salon.id}`)).body.data,
    history: async (): Promise<AppointmentHistory> =>
      (await send('GET', `/appointments/${salon.id}/history`)).body.data,
    dayEtag: async () => String((await send('GET', `/days/${MONDAY}`)).headers.etag),
  };
}
