import { createHash } from 'node:crypto';
import {
  ALL_KEY_SCOPES,
  isWellFormedApiKey,
  MAX_ROLL_HOURS,
  gatewayRoutes as routes,
} from '@frontdesk/contracts';
import type { Command } from 'commander';
import { requestTo } from '../clients.ts';
import { WrongInput } from '../errors.ts';
import { type CommonOptions, recordVerb, type TenantOptions, tenantVerb, verb } from '../options.ts';
import { printRecord, printTable } from '../output.ts';
import { oneLineOf } from '../secret-input.ts';

const request = requestTo('gateway');
const COLUMNS = ['id', 'name', 'last_four', 'is_active', 'expires_at', 'last_used_at', 'created_at'];

interface Restrictions {
  scopes?: string[];
  expires?: string;
  networks?: string[];
}

/** What a key may do, until when and from where, as the command line says it. */
const withRestrictions = (command: Command): Command =>
  command
    .option('--scopes <scope...>', `what it may do: ${ALL_KEY_SCOPES.join(', ')}`)
    .option('--expires <time>', 'when it expires: RFC 3339, such as 2030-01-31T00:00:00Z; or never')
    .option('--networks <network...>', 'from where: addresses, or networks such as 203.0.113.0/24; or any');

const restrictionsOf = ({ scopes, expires, networks }: Restrictions) => ({
  ...(scopes && { scopes }),
  ...(expires !== undefined && { expires_at: expires === 'never' ? null : expires }),
  ...(networks && { networks: networks.join() === 'any' ? null : networks }),
});

export function keyCommands(program: Command): void {
  const key = program.command('key').description('API keys of a business');

  withRestrictions(tenantVerb(key, 'create', 'create a key; it is shown this once'))
    .requiredOption('--name <name>', 'what it is for')
    .action(
      async ({
        tenant: tenantId,
        name,
        json,
        ...restrictions
      }: TenantOptions & Restrictions & { name: string }) => {
        const body = { name, ...restrictionsOf(restrictions) };
        printRecord(await request(routes.createKey, { tenantId, body }), { json });
      },
    );

  tenantVerb(key, 'list', 'every key of a business').action(async ({ tenant, json }: TenantOptions) => {
    printTable(await request(routes.listKeys, { tenantId: tenant }), COLUMNS, { json });
  });

  withRestrictions(recordVerb(key, 'change', 'change what a key may do, until when and from where')).action(
    async (id: number, { tenant: tenantId, json, ...restrictions }: TenantOptions & Restrictions) => {
      printRecord(await request(routes.updateKey, { tenantId, id, body: restrictionsOf(restrictions) }), {
        json,
      });
    },
  );

  recordVerb(key, 'roll', 'replace a key by a new one; the old one works for some hours more')
    .requiredOption('--hours <hours>', `how long: 0 to ${MAX_ROLL_HOURS}`)
    .action(async (id: number, { tenant: tenantId, json, hours }: TenantOptions & { hours: string }) => {
      const body = { hours: Number(hours) };
      printRecord(await request(routes.rollKey, { tenantId, id, body }), { json });
    });

  recordVerb(key, 'revoke', 'disable a key, but keep it in the list').action(
    async (id: number, { tenant: tenantId, json }: TenantOptions) => {
      printRecord(await request(routes.revokeKey, { tenantId, id }), { json });
    },
  );

  verb(
    key,
    'leaked <key>',
    'revoke a key that was found in public, and email its business; - reads it from standard input',
  ).action(async (given: string, { json }: CommonOptions) => {
    const found = given === '-' ? await oneLineOf('-', 'key') : given;
    if (!isWellFormedApiKey(found))
      throw new WrongInput('That is no API key: its form or its checksum is wrong.');
    // Only its hash is sent: the key is still valid.
    const key_hash = createHash('sha256').update(found).digest('hex');
    const { tenant_id: tenantId, id } = await request(routes.findKey, { body: { key_hash } });
    const { name, is_active } = await request(routes.revokeLeakedKey, { tenantId, id });
    printRecord({ tenant_id: tenantId, id, name, is_active }, { json });
  });

  recordVerb(key, 'delete', 'remove a key for good').action(
    async (id: number, { tenant: tenantId, json }: TenantOptions) => {
      printRecord(await request(routes.deleteKey, { tenantId, id }), { json });
    },
  );
}
