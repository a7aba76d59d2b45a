import { CALL_PROVIDERS, callSourceSchema, callSourceWithSecret, removedRecord } from '@frontdesk/contracts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { messageCommands } from './call-messages.ts';
import { requestTo } from './clients.ts';
import { recordVerb, type TenantOptions, tenantVerb } from './options.ts';
import { printRecord, printTable } from './output.ts';

const request = requestTo('calls');
const pathOf = (tenantId: number) => `/internal/tenants/${tenantId}/call-sources`;
const COLUMNS = [
  ...['id', 'provider', 'name', 'is_active', 'secret_last_four'],
  ...['last_message_at', 'created_at', 'ingest_url'],
];

interface CreateOptions extends TenantOptions {
  provider: string;
  name: string;
  secret?: string;
  createsLeads?: boolean;
  settings?: object;
}

const settingsOption = () =>
  new Option('--settings <json>', 'its settings, for example {"vapi":{"scheme":"hmac"}}').argParser(
    parseJson,
  );

export function callSourceCommands(program: Command): void {
  const source = program.command('call-source').description('call sources of a business');

  tenantVerb(source, 'create', 'add a source; its secret is shown this once')
    .addOption(new Option('--provider <name>', 'who sends').choices(CALL_PROVIDERS).makeOptionMandatory())
    .requiredOption('--name <name>', 'what it is called in records of calls')
    .option('--secret <secret>', 'what the provider signs with, where it dictates that')
    .option('--creates-leads', 'unknown callers become customers: leads')
    .addOption(settingsOption())
    .action(async ({ tenant, json, createsLeads, settings, ...fields }: CreateOptions) => {
      const body = {
        ...fields,
        settings: { ...settings, ...(createsLeads && { creates_leads: true }) },
      };
      const { id, ingest_url, secret } = await request('POST', pathOf(tenant), callSourceWithSecret, body);
      printRecord({ id, ingest_url, secret }, { json });
    });

  tenantVerb(source, 'list', 'every source of a business').action(async ({ tenant, json }: TenantOptions) => {
    printTable(await request('GET', pathOf(tenant), callSourceSchema.array()), COLUMNS, { json });
  });

  recordVerb(source, 'show', 'one source, with its settings').action(
    async (id: number, { tenant, json }: TenantOptions) => {
      printRecord(await request('GET', `${pathOf(tenant)}/${id}`, callSourceSchema), { json });
    },
  );

  recordVerb(
    source,
    'update',
    'change the name or the settings; settings that are left out take their defaults',
  )
    .option('--name <name>', 'what it is called in records of calls')
    .addOption(settingsOption())
    .action(async (id: number, { tenant, name, settings, json }: TenantOptions & Partial<CreateOptions>) => {
      printRecord(await patch(tenant, id, { name, settings }), { json });
    });

  recordVerb(source, 'rotate', 'replace the secret; the new one is shown this once, and the old one is void')
    .option('--secret <secret>', 'the new one, where the provider dictates it')
    .action(async (id: number, { tenant, json, ...given }: TenantOptions & { secret?: string }) => {
      const path = `${pathOf(tenant)}/${id}/rotate`;
      const { ingest_url, secret } = await request('POST', path, callSourceWithSecret, given);
      printRecord({ id, ingest_url, secret }, { json });
    });

  recordVerb(source, 'disable', 'refuse its messages for now').action(
    async (id: number, { tenant, json }: TenantOptions) => {
      printRecord(await patch(tenant, id, { is_active: false }), { json });
    },
  );

  recordVerb(source, 'enable', 'accept its messages again').action(
    async (id: number, { tenant, json }: TenantOptions) => {
      printRecord(await patch(tenant, id, { is_active: true }), { json });
    },
  );

  recordVerb(source, 'delete', 'remove a source for good; its calls stay').action(
    async (id: number, { tenant, json }: TenantOptions) => {
      printRecord(await request('DELETE', `${pathOf(tenant)}/${id}`, removedRecord), { json });
    },
  );

  messageCommands(source);
}

const patch = (tenant: number, id: number, body: object) =>
  request('PATCH', `${pathOf(tenant)}/${id}`, callSourceSchema, body);

function parseJson(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below.
  }
  throw new InvalidArgumentError('It must be a JSON object.');
}
