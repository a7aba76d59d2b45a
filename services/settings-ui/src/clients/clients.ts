import { createAppointmentsClient } from './appointments.client.ts';
import { createCallsClient } from './calls.client.ts';
import { createExamplesClient } from './examples.client.ts';
import { createGatewayClient } from './gateway.client.ts';
import { createReplaysClient } from './replays.client.ts';
import { createSchedulingClient } from './scheduling.client.ts';
import type { ServiceClients } from './service-clients.ts';
import { createStatisticsClient } from './statistics.client.ts';
import { createWebhooksClient } from './webhooks.client.ts';

export type Clients = ReturnType<typeof createClients>;

/** What the pages ask of the services, by what it is about. */
export const createClients = (services: ServiceClients, options: { readTimeoutMs: number }) => ({
  gateway: createGatewayClient(services.gateway, options),
  webhooks: createWebhooksClient(services.webhooks, options),
  replays: createReplaysClient(services.webhooks, options),
  scheduling: createSchedulingClient(services.scheduling, options),
  appointments: createAppointmentsClient(services, options),
  calls: createCallsClient(services.calls, options),
  examples: createExamplesClient(services, options),
  statistics: createStatisticsClient(services, options),
});
