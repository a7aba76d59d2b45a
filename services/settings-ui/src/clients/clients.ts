import {
  type CreateReplay,
  callsRoutes,
  crmRoutes,
  gatewayRoutes,
  webhooksRoutes as routes,
  schedulingRoutes,
} from '@frontdesk/contracts';
import { createAppointmentsClient } from './appointments.client.ts';
import { createCallsClient } from './calls.client.ts';
import { createCustomersClient } from './customers.client.ts';
import { createGatewayClient } from './gateway.client.ts';
import type { InternalApis, TenantApis } from './internal-apis.client.ts';
import { createSchedulingClient } from './scheduling.client.ts';
import { createTenantApi, type TenantApi } from './tenant-api.client.ts';
import { createWebhooksClient } from './webhooks.client.ts';

/** What each service counts of a tenant's data. */
const createStatisticsClient = ({ gateway, scheduling, calls, webhooks }: TenantApis) => ({
  appointments: (tenantId: number) => scheduling.get(schedulingRoutes.getAppointmentStatistics, { tenantId }),
  /** Whether anything was ever booked. */
  hasAppointments: async (tenantId: number) => {
    const query = { per_page: 1 };
    return (await scheduling.getPage(schedulingRoutes.listAppointments, { tenantId, query })).total > 0;
  },
  calls: (tenantId: number) => calls.get(callsRoutes.getCallStatistics, { tenantId }),
  deliveries: (tenantId: number) => webhooks.get(routes.getDeliveryStatistics, { tenantId }),
  requests: (tenantId: number) => gateway.get(gatewayRoutes.getRequestStatistics, { tenantId }),
});

/** Enough to see what is running and what came before it. */
const SHOWN = 5;

/** Sending again what an endpoint has missed. */
const createReplaysClient = (webhooks: TenantApi) => ({
  /** Of one endpoint, the newest first. */
  async latest(tenantId: number, endpointId: number) {
    const query = { per_page: SHOWN };
    return (await webhooks.getPage(routes.listReplays, { tenantId, id: endpointId, query })).rows;
  },
  /** How many deliveries of an endpoint have failed. */
  async failedCount(tenantId: number, endpointId: number) {
    const query = { endpoint_id: endpointId, status: 'failed', per_page: 1 };
    return (await webhooks.getPage(routes.listDeliverySummaries, { tenantId, query })).total;
  },
  /** What came in for an endpoint while it was last paused or disabled, and has not gone to it. */
  missed: (tenantId: number, endpointId: number) =>
    webhooks.get(routes.countMissedEvents, { tenantId, id: endpointId }),
  begin: (tenantId: number, endpointId: number, wanted: CreateReplay) => {
    const body = wanted.kind === 'window' ? wanted : { kind: wanted.kind };
    return webhooks.change(routes.createReplay, { tenantId, id: endpointId, body });
  },
  replay: (tenantId: number, id: number) => webhooks.get(routes.getReplay, { tenantId, id }),
  cancel: (tenantId: number, id: number) => webhooks.change(routes.cancelReplay, { tenantId, id }),
});

/** What the documentation's examples name of one tenant's own: the newest, or the latest; empty where there is none. */
const createExamplesClient = ({
  scheduling,
  crm,
  calls,
}: Pick<TenantApis, 'scheduling' | 'crm' | 'calls'>) => {
  const query = { per_page: 1 };
  return {
    appointment: (tenantId: number) => scheduling.get(schedulingRoutes.listAppointments, { tenantId, query }),
    customer: (tenantId: number) => crm.get(crmRoutes.listCustomers, { tenantId, query }),
    call: (tenantId: number) => calls.get(callsRoutes.listCalls, { tenantId, query }),
  };
};

export type Clients = ReturnType<typeof createClients>;

/** What the pages ask of the services, by what it is about. */
export function createClients(services: InternalApis, options: { readTimeoutMs: number }) {
  const apis: TenantApis = {
    gateway: createTenantApi(services.gateway, options),
    scheduling: createTenantApi(services.scheduling, options),
    crm: createTenantApi(services.crm, options),
    calls: createTenantApi(services.calls, options),
    webhooks: createTenantApi(services.webhooks, options),
  };
  return {
    gateway: createGatewayClient(apis.gateway),
    webhooks: createWebhooksClient(apis.webhooks),
    replays: createReplaysClient(apis.webhooks),
    scheduling: createSchedulingClient(apis.scheduling),
    appointments: createAppointmentsClient(apis),
    calls: createCallsClient(apis.calls),
    customers: createCustomersClient(apis),
    examples: createExamplesClient(apis),
    statistics: createStatisticsClient(apis),
  };
}
