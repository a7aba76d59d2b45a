import { CALL_PROVIDERS, callSourceSchema, callSourceWithSecret, removedRecord } from '@frontdesk/contracts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { messageCommands } from './call-messages.ts';
import { withService } from './clients.ts';
import { idArgument, type TenantOptions, tenantOption, verb } from './options.ts';
import { printRecord, printTable } from './output.ts';

const pathOf = (tenantId: number) => `/internal/tenants/${tenantId}/call-sources`;
const COLUMNS = [
  'id',
  'provider',
  'name',
  'is_active',
  'secret_last_four',
  'last_message_at',
  'created_at',
  'ingest_url',
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

  verb(source, 'create', 'add a source; its secret is shown this once')
    .addOption(tenantOption())
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
      const created = await withService('calls', (calls) =>
        calls.request({ method: 'POST', path: pathOf(tenant), body, schema: callSourceWithSecret }),
      );
      const { id, ingest_url, secret } = created;
      printRecord({ id, ingest_url, secret }, { json });
    });

  verb(source, 'list', 'every source of a business')
    .addOption(tenantOption())
    .action(async ({ tenant, json }: TenantOptions) => {
      const sources = await withService('calls', (calls) =>
        calls.request({ method: 'GET', path: pathOf(tenant), schema: callSourceSchema.array() }),
      );
      printTable(sources, COLUMNS, { json });
    });

  verb(source, 'show', 'one source, with its settings')
    .addArgument(idArgument())
    .addOption(tenantOption())
    .action(async (id: number, { tenant, json }: TenantOptions) => {
      const found = await withService('calls', (calls) =>
        calls.request({ method: 'GET', path: `${pathOf(tenant)}/${id}`, schema: callSourceSchema }),
      );
      printRecord(found, { json });
    });

  verb(source, 'update', 'change the name or the settings; settings that are left out take their defaults')
    .addArgument(idArgument())
    .addOption(tenantOption())
    .option('--name <name>', 'what it is called in records of calls')
    .addOption(settingsOption())
    .action(async (id: number, { tenant, name, settings, json }: TenantOptions & Partial<CreateOptions>) => {
      printRecord(await patch(tenant, id, { name, settings }), { json });
    });

  verb(source, 'rotate', 'replace the secret; the new one is shown this once, and the old one is void')
    .addArgument(idArgument())
    .addOption(tenantOption())
    .option('--secret <secret>', 'the new one, where the provider dictates it')
    .action(async (id: number, { tenant, secret, json }: TenantOptions & { secret?: string }) => {
      const rotated = await withService('calls', (calls) =>
        calls.request({
          method: 'POST',
          path: `${pathOf(tenant)}/${id}/rotate`,
          body: { secret },
          schema: callSourceWithSecret,
        }),
      );
      const { ingest_url } = rotated;
      printRecord({ id, ingest_url, secret: rotated.secret }, { json });
    });

  verb(source, 'disable', 'refuse its messages for now')
    .addArgument(idArgument())
    .addOption(tenantOption())
    .action(async (id: number, { tenant, json }: TenantOptions) => {
      printRecord(await patch(tenant, id, { is_active: false }), { json });
    });

  verb(source, 'enable', 'accept its messages again')
    .addArgument(idArgument())
    .addOption(tenantOption())
    .action(async (id: number, { tenant, json }: TenantOptions) => {
      printRecord(await patch(tenant, id, { is_active: true }), { json });
    });

  verb(source, 'delete', 'remove a source for good; its calls stay')
    .addArgument(idArgument())
    .addOption(tenantOption())
    .action(async (id: number, { tenant, json }: TenantOptions) => {
      const result = await withService('calls', (calls) =>
        calls.request({ method: 'DELETE', path: `${pathOf(tenant)}/${id}`, schema: removedRecord }),
      );
      printRecord(result, { json });
    });

  messageCommands(source);
}

function patch(tenant: number, id: number, body: object) {
  return withService('calls', (calls) =>
    calls.request({ method: 'PATCH', path: `${pathOf(tenant)}/${id}`, body, schema: callSourceSchema }),
  );
}

function parseJson(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below.
  }
  throw new InvalidArgumentError('It must be a JSON object.');
}
