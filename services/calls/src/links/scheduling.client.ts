import { schedulingRoutes } from '@frontdesk/contracts';
import { requestOf, type ServiceClient } from '@frontdesk/service';

export type AppointmentLookup = ReturnType<typeof createAppointmentLookup>;

/** Asks scheduling, the owner of appointments. */
export function createAppointmentLookup(scheduling: ServiceClient) {
  return {
    /** Whether the tenant has this appointment, in any status. @throws AppError when scheduling can't say */
    async isKnown(tenantId: number, id: number): Promise<boolean> {
      const asked = { tenantId, body: { ids: [id] } };
      return (await scheduling.request(requestOf(schedulingRoutes.listKnownAppointments, asked))).includes(
        id,
      );
    },
  };
}
