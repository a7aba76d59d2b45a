import {
  appointmentSchema,
  appointmentStatistics,
  callStatistics,
  deliveryStatistics,
  requestStatistics,
} from '@frontdesk/contracts';
import type { TenantApis } from './service-clients.ts';

/** What each service counts of a tenant's data. */
export const createStatisticsClient = ({ gateway, scheduling, calls, webhooks }: TenantApis) => ({
  appointments: (tenantId: number) =>
    scheduling.get(tenantId, '/statistics/appointments', appointmentStatistics),
  /** Whether anything was ever booked. */
  hasAppointments: async (tenantId: number) =>
    (await scheduling.getPage(tenantId, '/appointments?per_page=1', appointmentSchema.array())).total > 0,
  calls: (tenantId: number) => calls.get(tenantId, '/statistics/calls', callStatistics),
  deliveries: (tenantId: number) => webhooks.get(tenantId, '/statistics/deliveries', deliveryStatistics),
  requests: (tenantId: number) => gateway.get(tenantId, '/statistics/requests', requestStatistics),
});
