import { type EndpointAdmin, webhooksRoutes as routes, WEBHOOK_EVENTS } from '@frontdesk/contracts';
import type { Command } from 'commander';
import { requestTo } from '../clients.ts';
import { recordVerb, type TenantOptions, tenantVerb } from '../options.ts';
import { printRecord, printTable } from '../output.ts';
import { deliveryCommands } from './webhook-deliveries.ts';

const request = requestTo('webhooks');
const parseNames = (text: string) => text.split(',').map((name) => name.trim());

const eventNames = `comma separated: ${Object.keys(WEBHOOK_EVENTS).join(', ')}`;
const COLUMNS = ['id', 'url', 'events', 'state', 'success_rate', 'last_failure', 'created_at'];

interface CreateOptions extends TenantOptions {
  url: string;
  events: string[];
}

export function webhookCommands(program: Command): void {
  const webhook = program.command('webhook').description('endpoints that get the events of a business');

  tenantVerb(webhook, 'create', 'add an endpoint; its signing secret is shown this once')
    .requiredOption('--url <url>', 'where events are posted to')
    .requiredOption('--events <names>', eventNames, parseNames)
    .action(async ({ tenant: tenantId, url, events, json }: CreateOptions) => {
      printRecord(await request(routes.createEndpoint, { tenantId, body: { url, events } }), { json });
    });

  tenantVerb(webhook, 'list', 'every endpoint of a business').action(
    async ({ tenant: tenantId, json }: TenantOptions) => {
      const endpoints = await request(routes.listEndpoints, { tenantId });
      printTable(json ? endpoints : endpoints.map(flat), COLUMNS, { json });
    },
  );

  recordVerb(webhook, 'show', 'one endpoint, with the state of its deliveries').action(
    async (id: number, { tenant: tenantId, json }: TenantOptions) => {
      printEndpoint(await request(routes.getEndpoint, { tenantId, id }), json);
    },
  );

  recordVerb(webhook, 'update', 'change an endpoint’s URL or events; pending deliveries go to the new URL')
    .option('--url <url>', 'where events are posted to')
    .option('--events <names>', eventNames, parseNames)
    .action(
      async (id: number, { tenant: tenantId, url, events, json }: TenantOptions & Partial<CreateOptions>) => {
        printEndpoint(await patch(tenantId, id, { url, events }), json);
      },
    );

  recordVerb(
    webhook,
    'pause',
    'send nothing for now: pending deliveries stay, events meanwhile are skipped',
  ).action(async (id: number, { tenant: tenantId, json }: TenantOptions) => {
    printEndpoint(await patch(tenantId, id, { is_active: false }), json);
  });

  recordVerb(webhook, 'resume', 'end a pause, or enable a disabled endpoint').action(
    async (id: number, { tenant: tenantId, json }: TenantOptions) => {
      printEndpoint(await patch(tenantId, id, { is_active: true }), json);
    },
  );

  recordVerb(webhook, 'rotate-secret', 'make a new signing secret, shown this once; for a day both sign')
    .option('--force', 'also within a day of the last time: the oldest secret stops working at once')
    .action(async (id: number, { tenant: tenantId, force, json }: TenantOptions & { force?: boolean }) => {
      printRecord(await request(routes.rotateSecret, { tenantId, id, body: { force } }), { json });
    });

  recordVerb(webhook, 'test', 'send a test event to an endpoint').action(
    async (id: number, { tenant: tenantId, json }: TenantOptions) => {
      printRecord(await request(routes.sendTest, { tenantId, id }), { json });
    },
  );

  recordVerb(webhook, 'delete', 'remove an endpoint; its pending deliveries are cancelled').action(
    async (id: number, { tenant: tenantId, json }: TenantOptions) => {
      printRecord(await request(routes.deleteEndpoint, { tenantId, id }), { json });
    },
  );

  deliveryCommands(webhook);
}

const patch = (tenantId: number, id: number, body: object) =>
  request(routes.updateEndpoint, { tenantId, id, body });

/** Its health beside everything else. */
const flat = ({ health, ...endpoint }: EndpointAdmin) => ({ ...endpoint, ...health });

const printEndpoint = (endpoint: EndpointAdmin, json: boolean | undefined) =>
  printRecord(json ? endpoint : flat(endpoint), { json });
