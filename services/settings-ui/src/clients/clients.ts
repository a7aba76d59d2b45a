import { createAppointmentsClient } from './appointments.client.ts';
import { createCallsClient } from './calls.client.ts';
import { createCustomersClient } from './customers.client.ts';
import { createExamplesClient } from './examples.client.ts';
import { createGatewayClient } from './gateway.client.ts';
import { createReplaysClient } from './replays.client.ts';
import { createSchedulingClient } from './scheduling.client.ts';
import type { ServiceClients, TenantApis } from './service-clients.ts';
import { createStatisticsClient } from './statistics.client.ts';
import { createTenantApi } from './tenant-api.ts';
import { createWebhooksClient } from './webhooks.client.ts';

export type Clients = ReturnType<typeof createClients>;

/** What the pages ask of the services, by what it is about. */
export function createClients(services: ServiceClients, options: { readTimeoutMs: number }) {
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
