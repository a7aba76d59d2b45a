import { appointmentsByIdsBody } from '@frontdesk/contracts';
import { type App, AppError, ok } from '@frontdesk/service';

/** The scheduling of these tests is asked which appointments a tenant has. */
export function fakeScheduling() {
  const appointments = new Set<string>();
  const asked: { tenantId: number; ids: number[] }[] = [];
  let mode: 'up' | 'away' | 'hanging' = 'up';
  let letGo = Promise.withResolvers<void>();

  return {
    asked,
    /** From now on. `away` refuses; `hanging` doesn't answer until it is something else. */
    set: (next: typeof mode) => {
      mode = next;
      letGo.resolve();
      letGo = Promise.withResolvers();
    },
    add: (tenantId: number, id: number) => void appointments.add(`${tenantId} ${id}`),
    routes(app: App) {
      app.post(
        '/internal/tenants/:tenant_id/appointments/by-ids',
        { schema: { body: appointmentsByIdsBody } },
        async ({ params, body: { ids } }) => {
          const tenantId = Number((params as { tenant_id: string }).tenant_id);
          asked.push({ tenantId, ids });
          if (mode === 'hanging') await letGo.promise;
          if (mode === 'away') throw new AppError('service_unavailable', 'Away.');
          return ok(ids.filter((id: number) => appointments.has(`${tenantId} ${id}`)));
        },
      );
    },
  };
}
