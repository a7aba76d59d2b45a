import {
  appointmentStatistics,
  callStatistics,
  deliveryStatistics,
  requestStatistics,
} from '@frontdesk/contracts';
import type { ServiceClients } from './service-clients.ts';

export type StatisticsClient = ReturnType<typeof createStatisticsClient>;

/** What each service counts of a tenant's data. */
export function createStatisticsClient(
  { gateway, scheduling, calls, webhooks }: ServiceClients,
  options: { readTimeoutMs: number },
) {
  const read = (tenantId: number, of: string) =>
    ({
      method: 'GET',
      tenantId,
      path: `/internal/tenants/${tenantId}/statistics/${of}`,
      timeoutMs: options.readTimeoutMs,
    }) as const;

  return {
    appointments: (tenantId: number) =>
      scheduling.request({ ...read(tenantId, 'appointments'), schema: appointmentStatistics }),
    calls: (tenantId: number) => calls.request({ ...read(tenantId, 'calls'), schema: callStatistics }),
    deliveries: (tenantId: number) =>
      webhooks.request({ ...read(tenantId, 'deliveries'), schema: deliveryStatistics }),
    requests: (tenantId: number) =>
      gateway.request({ ...read(tenantId, 'requests'), schema: requestStatistics }),
  };
}
