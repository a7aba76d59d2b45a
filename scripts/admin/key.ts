import { apiKeySchema, createdApiKey, removedRecord } from '@frontdesk/contracts';
import type { Command } from 'commander';
import { withService } from './clients.ts';
import { idArgument, type TenantOptions, tenantOption, verb } from './options.ts';
import { printRecord, printTable } from './output.ts';

const pathOf = (tenantId: number) => `/internal/tenants/${tenantId}/keys`;

export function keyCommands(program: Command): void {
  const key = program.command('key').description('API keys of a business');

  verb(key, 'create', 'create a key; it is shown this once')
    .addOption(tenantOption())
    .requiredOption('--name <name>', 'what it is for')
    .action(async ({ tenant, name, json }: TenantOptions & { name: string }) => {
      const created = await withService('gateway', (gateway) =>
        gateway.request({ method: 'POST', path: pathOf(tenant), body: { name }, schema: createdApiKey }),
      );
      printRecord(created, { json });
    });

  verb(key, 'list', 'every key of a business')
    .addOption(tenantOption())
    .action(async ({ tenant, json }: TenantOptions) => {
      const keys = await withService('gateway', (gateway) =>
        gateway.request({ method: 'GET', path: pathOf(tenant), schema: apiKeySchema.array() }),
      );
      printTable(keys, ['id', 'name', 'last_four', 'is_active', 'last_used_at', 'created_at'], { json });
    });

  verb(key, 'revoke', 'disable a key, but keep it in the list')
    .addArgument(idArgument())
    .addOption(tenantOption())
    .action(async (id: number, { tenant, json }: TenantOptions) => {
      const revoked = await withService('gateway', (gateway) =>
        gateway.request({
          method: 'POST',
          path: `${pathOf(tenant)}/${id}/revoke`,
          schema: apiKeySchema,
        }),
      );
      printRecord(revoked, { json });
    });

  verb(key, 'delete', 'remove a key for good')
    .addArgument(idArgument())
    .addOption(tenantOption())
    .action(async (id: number, { tenant, json }: TenantOptions) => {
      const result = await withService('gateway', (gateway) =>
        gateway.request({ method: 'DELETE', path: `${pathOf(tenant)}/${id}`, schema: removedRecord }),
      );
      printRecord(result, { json });
    });
}
