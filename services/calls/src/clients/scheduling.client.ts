import { appointmentIds } from '@frontdesk/contracts';
import type { ServiceClient } from '@frontdesk/service';

export type AppointmentLookup = ReturnType<typeof createAppointmentLookup>;

/** Asks scheduling, the owner of appointments. */
export function createAppointmentLookup(scheduling: ServiceClient) {
  return {
    /** Whether the tenant has this appointment, in any status. @throws AppError when scheduling can't say */
    async isKnown(tenantId: number, id: number): Promise<boolean> {
      const known = await scheduling.request({
        method: 'POST',
        path: `/internal/tenants/${tenantId}/appointments/by-ids`,
        tenantId,
        body: { ids: [id] },
        schema: appointmentIds,
      });
      return known.includes(id);
    },
  };
}
