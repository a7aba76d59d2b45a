import { gatewayRoutes as routes } from '@frontdesk/contracts';
import type { Command } from 'commander';
import { requestTo } from '../clients.ts';
import { recordVerb, type TenantOptions, tenantVerb } from '../options.ts';
import { printRecord, printTable } from '../output.ts';

const request = requestTo('gateway');
const COLUMNS = ['id', 'name', 'last_four', 'is_active', 'last_used_at', 'created_at'];

export function keyCommands(program: Command): void {
  const key = program.command('key').description('API keys of a business');

  tenantVerb(key, 'create', 'create a key; it is shown this once')
    .requiredOption('--name <name>', 'what it is for')
    .action(async ({ tenant: tenantId, name, json }: TenantOptions & { name: string }) => {
      printRecord(await request(routes.createKey, { tenantId, body: { name } }), { json });
    });

  tenantVerb(key, 'list', 'every key of a business').action(async ({ tenant, json }: TenantOptions) => {
    printTable(await request(routes.listKeys, { tenantId: tenant }), COLUMNS, { json });
  });

  recordVerb(key, 'revoke', 'disable a key, but keep it in the list').action(
    async (id: number, { tenant: tenantId, json }: TenantOptions) => {
      printRecord(await request(routes.revokeKey, { tenantId, id }), { json });
    },
  );

  recordVerb(key, 'delete', 'remove a key for good').action(
    async (id: number, { tenant: tenantId, json }: TenantOptions) => {
      printRecord(await request(routes.deleteKey, { tenantId, id }), { json });
    },
  );
}
