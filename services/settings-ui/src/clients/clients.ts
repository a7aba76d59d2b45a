import {
  type CreateReplay,
  callsRoutes,
  crmRoutes,
  gatewayRoutes,
  webhooksRoutes as routes,
  schedulingRoutes,
} from '@frontdesk/contracts';
import type { By } from '../session/session.rules.ts';
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
  appointments: (by: By) => scheduling.get(schedulingRoutes.getAppointmentStatistics, { by }),
  /** Whether anything was ever booked. */
  hasAppointments: async (by: By) => {
    const query = { per_page: 1 };
    return (await scheduling.getPage(schedulingRoutes.listAppointments, { by, query })).total > 0;
  },
  calls: (by: By) => calls.get(callsRoutes.getCallStatistics, { by }),
  deliveries: (by: By) => webhooks.get(routes.getDeliveryStatistics, { by }),
  requests: (by: By) => gateway.get(gatewayRoutes.getRequestStatistics, { by }),
});

/** Enough to see what is running and what came before it. */
const SHOWN = 5;

/** Sending again what an endpoint has missed. */
const createReplaysClient = (webhooks: TenantApi) => ({
  /** Of one endpoint, the newest first. */
  async latest(by: By, endpointId: number) {
    const query = { per_page: SHOWN };
    return (await webhooks.getPage(routes.listReplays, { by, id: endpointId, query })).rows;
  },
  /** How many deliveries of an endpoint have failed. */
  async failedCount(by: By, endpointId: number) {
    const query = { endpoint_id: endpointId, status: 'failed', per_page: 1 };
    return (await webhooks.getPage(routes.listDeliverySummaries, { by, query })).total;
  },
  /** What came in for an endpoint while it was last paused or disabled, and has not gone to it. */
  missed: (by: By, endpointId: number) => webhooks.get(routes.countMissedEvents, { by, id: endpointId }),
  begin: (by: By, endpointId: number, wanted: CreateReplay) => {
    const body = wanted.kind === 'window' ? wanted : { kind: wanted.kind };
    return webhooks.change(routes.createReplay, { by, id: endpointId, body });
  },
  replay: (by: By, id: number) => webhooks.get(routes.getReplay, { by, id }),
  cancel: (by: By, id: number) => webhooks.change(routes.cancelReplay, { by, id }),
});

/** What the documentation's examples name of one tenant's own: the newest, or the latest; empty where there is none. */
const createExamplesClient = ({
  scheduling,
  crm,
  calls,
}: Pick<TenantApis, 'scheduling' | 'crm' | 'calls'>) => {
  const query = { per_page: 1 };
  return {
    appointment: (by: By) => scheduling.get(schedulingRoutes.listAppointments, { by, query }),
    customer: (by: By) => crm.get(crmRoutes.listCustomers, { by, query }),
    call: (by: By) => calls.get(callsRoutes.listCalls, { by, query }),
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
