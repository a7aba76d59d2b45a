import {
  createdEndpoint,
  deliverySchema,
  endpointAdminSchema,
  removedRecord,
  rotatedSecret,
  WEBHOOK_EVENTS,
} from '@frontdesk/contracts';
import type { Command } from 'commander';
import type { z } from 'zod';
import { withService } from './clients.ts';
import { idArgument, type TenantOptions, tenantOption, verb } from './options.ts';
import { printRecord, printTable } from './output.ts';
import { deliveryCommands } from './webhook-deliveries.ts';

const pathOf = (tenantId: number) => `/internal/tenants/${tenantId}/webhooks`;
const parseNames = (text: string) => text.split(',').map((name) => name.trim());

const eventNames = `comma separated: ${Object.keys(WEBHOOK_EVENTS).join(', ')}`;
const COLUMNS = ['id', 'url', 'events', 'state', 'success_rate', 'last_failure', 'created_at'];

interface CreateOptions extends TenantOptions {
  url: string;
  events: string[];
}

export function webhookCommands(program: Command): void {
  const webhook = program.command('webhook').description('endpoints that get the events of a business');

  verb(webhook, 'create', 'add an endpoint; its signing secret is shown this once')
    .addOption(tenantOption())
    .requiredOption('--url <url>', 'where events are posted to')
    .requiredOption('--events <names>', eventNames, parseNames)
    .action(async ({ tenant, url, events, json }: CreateOptions) => {
      const created = await withService('webhooks', (webhooks) =>
        webhooks.request({
          method: 'POST',
          path: pathOf(tenant),
          body: { url, events },
          schema: createdEndpoint,
        }),
      );
      printRecord(created, { json });
    });

  verb(webhook, 'list', 'every endpoint of a business')
    .addOption(tenantOption())
    .action(async ({ tenant, json }: TenantOptions) => {
      const endpoints = await withService('webhooks', (webhooks) =>
        webhooks.request({ method: 'GET', path: pathOf(tenant), schema: endpointAdminSchema.array() }),
      );
      const rows = json ? endpoints : endpoints.map(flat);
      printTable(rows, COLUMNS, { json });
    });

  verb(webhook, 'show', 'one endpoint, with the state of its deliveries')
    .addArgument(idArgument())
    .addOption(tenantOption())
    .action(async (id: number, { tenant, json }: TenantOptions) => {
      const endpoint = await withService('webhooks', (webhooks) =>
        webhooks.request({ method: 'GET', path: `${pathOf(tenant)}/${id}`, schema: endpointAdminSchema }),
      );
      printEndpoint(endpoint, json);
    });

  verb(webhook, 'update', 'change an endpoint’s URL or events; pending deliveries go to the new URL')
    .addArgument(idArgument())
    .addOption(tenantOption())
    .option('--url <url>', 'where events are posted to')
    .option('--events <names>', eventNames, parseNames)
    .action(async (id: number, { tenant, url, events, json }: TenantOptions & Partial<CreateOptions>) => {
      printEndpoint(await patch(tenant, id, { url, events }), json);
    });

  verb(webhook, 'pause', 'send nothing for now: pending deliveries stay, events meanwhile are skipped')
    .addArgument(idArgument())
    .addOption(tenantOption())
    .action(async (id: number, { tenant, json }: TenantOptions) => {
      printEndpoint(await patch(tenant, id, { is_active: false }), json);
    });

  verb(webhook, 'resume', 'end a pause, or enable a disabled endpoint')
    .addArgument(idArgument())
    .addOption(tenantOption())
    .action(async (id: number, { tenant, json }: TenantOptions) => {
      printEndpoint(await patch(tenant, id, { is_active: true }), json);
    });

  verb(webhook, 'rotate-secret', 'make a new signing secret, shown this once; for a day both sign')
    .addArgument(idArgument())
    .addOption(tenantOption())
    .option('--force', 'also within a day of the last time: the oldest secret stops working at once')
    .action(async (id: number, { tenant, force, json }: TenantOptions & { force?: boolean }) => {
      const rotated = await withService('webhooks', (webhooks) =>
        webhooks.request({
          method: 'POST',
          path: `${pathOf(tenant)}/${id}/rotate-secret`,
          body: { force },
          schema: rotatedSecret,
        }),
      );
      printRecord(rotated, { json });
    });

  verb(webhook, 'test', 'send a test event to an endpoint')
    .addArgument(idArgument())
    .addOption(tenantOption())
    .action(async (id: number, { tenant, json }: TenantOptions) => {
      const delivery = await withService('webhooks', (webhooks) =>
        webhooks.request({ method: 'POST', path: `${pathOf(tenant)}/${id}/test`, schema: deliverySchema }),
      );
      printRecord(delivery, { json });
    });

  verb(webhook, 'delete', 'remove an endpoint; its pending deliveries are cancelled')
    .addArgument(idArgument())
    .addOption(tenantOption())
    .action(async (id: number, { tenant, json }: TenantOptions) => {
      const result = await withService('webhooks', (webhooks) =>
        webhooks.request({ method: 'DELETE', path: `${pathOf(tenant)}/${id}`, schema: removedRecord }),
      );
      printRecord(result, { json });
    });

  deliveryCommands(webhook);
}

function patch(tenant: number, id: number, body: object) {
  return withService('webhooks', (webhooks) =>
    webhooks.request({
      method: 'PATCH',
      path: `${pathOf(tenant)}/${id}`,
      body,
      schema: endpointAdminSchema,
    }),
  );
}

type Endpoint = z.output<typeof endpointAdminSchema>;

/** Its health beside everything else. */
const flat = ({ health, ...endpoint }: Endpoint) => ({ ...endpoint, ...health });

const printEndpoint = (endpoint: Endpoint, json: boolean | undefined) =>
  printRecord(json ? endpoint : flat(endpoint), { json });
