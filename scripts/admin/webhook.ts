import { createdEndpoint, endpointSchema, WEBHOOK_EVENTS } from '@frontdesk/contracts';
import type { Command } from 'commander';
import { z } from 'zod';
import { withService } from './clients.ts';
import { idArgument, type TenantOptions, tenantOption, verb } from './options.ts';
import { printRecord, printTable } from './output.ts';

const deleted = z.object({ id: z.int(), deleted: z.literal(true) });
const pathOf = (tenantId: number) => `/internal/tenants/${tenantId}/webhooks`;
const parseNames = (text: string) => text.split(',').map((name) => name.trim());

interface CreateOptions extends TenantOptions {
  url: string;
  events: string[];
}

export function webhookCommands(program: Command): void {
  const webhook = program.command('webhook').description('addresses that a business is told of events at');

  verb(webhook, 'create', 'add an address; its signing secret is shown this once')
    .addOption(tenantOption())
    .requiredOption('--url <url>', 'where events are posted to')
    .requiredOption(
      '--events <names>',
      `comma separated: ${Object.keys(WEBHOOK_EVENTS).join(', ')}`,
      parseNames,
    )
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

  verb(webhook, 'list', 'every address of a business')
    .addOption(tenantOption())
    .action(async ({ tenant, json }: TenantOptions) => {
      const endpoints = await withService('webhooks', (webhooks) =>
        webhooks.request({ method: 'GET', path: pathOf(tenant), schema: endpointSchema.array() }),
      );
      printTable(endpoints, ['id', 'url', 'events', 'is_active', 'created_at'], { json });
    });

  verb(webhook, 'delete', 'remove an address; what still waits for it is cancelled')
    .addArgument(idArgument())
    .addOption(tenantOption())
    .action(async (id: number, { tenant, json }: TenantOptions) => {
      const result = await withService('webhooks', (webhooks) =>
        webhooks.request({ method: 'DELETE', path: `${pathOf(tenant)}/${id}`, schema: deleted }),
      );
      printRecord(result, { json });
    });
}
