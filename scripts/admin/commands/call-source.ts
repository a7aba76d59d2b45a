import { CALL_PROVIDERS, callsRoutes as routes } from '@frontdesk/contracts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { requestTo } from '../clients.ts';
import { recordVerb, type TenantOptions, tenantVerb } from '../options.ts';
import { printRecord, printTable } from '../output.ts';
import { givenSecret, secretOptions } from '../secret-input.ts';
import { messageCommands } from './call-messages.ts';

const request = requestTo('calls');
const COLUMNS = [
  ...['id', 'provider', 'name', 'is_active', 'secret_last_four'],
  ...['last_message_at', 'created_at', 'ingest_url'],
];

interface SecretOptions {
  secret?: string | true;
  secretFile?: string;
}

interface CreateOptions extends TenantOptions, SecretOptions {
  provider: string;
  name: string;
  createsLeads?: boolean;
  settings?: object;
}

const settingsOption = () =>
  new Option('--settings <json>', 'its settings, for example {"vapi":{"scheme":"hmac"}}').argParser(
    parseJson,
  );

export function callSourceCommands(program: Command): void {
  const source = program.command('call-source').description('call sources of a business');

  const create = tenantVerb(source, 'create', 'add a source; its secret is shown this once');
  secretOptions(create, 'secret', 'what the provider signs with, where it dictates that')
    .addOption(new Option('--provider <name>', 'who sends').choices(CALL_PROVIDERS).makeOptionMandatory())
    .requiredOption('--name <name>', 'what it is called in records of calls')
    .option('--creates-leads', 'unknown callers become customers: leads')
    .addOption(settingsOption())
    .action(
      async ({ tenant: tenantId, json, createsLeads, settings, provider, name, ...given }: CreateOptions) => {
        const secret = await givenSecret('secret', given);
        const body = {
          provider,
          name,
          secret,
          settings: { ...settings, ...(createsLeads && { creates_leads: true }) },
        };
        const { id, ingest_url, ...made } = await request(routes.createSource, { tenantId, body });
        printRecord({ id, ingest_url, secret: made.secret }, { json });
      },
    );

  tenantVerb(source, 'list', 'every source of a business').action(
    async ({ tenant: tenantId, json }: TenantOptions) => {
      printTable(await request(routes.listSources, { tenantId }), COLUMNS, { json });
    },
  );

  recordVerb(source, 'show', 'one source, with its settings').action(
    async (id: number, { tenant: tenantId, json }: TenantOptions) => {
      printRecord(await request(routes.getSource, { tenantId, id }), { json });
    },
  );

  recordVerb(
    source,
    'update',
    'change the name or the settings; settings that are left out take their defaults',
  )
    .option('--name <name>', 'what it is called in records of calls')
    .addOption(settingsOption())
    .action(
      async (
        id: number,
        { tenant: tenantId, name, settings, json }: TenantOptions & Partial<CreateOptions>,
      ) => {
        printRecord(await patch(tenantId, id, { name, settings }), { json });
      },
    );

  const rotate = recordVerb(
    source,
    'rotate',
    'replace the secret; the new one is shown this once, and the old one is void',
  );
  secretOptions(rotate, 'secret', 'the new one, where the provider dictates it').action(
    async (id: number, { tenant: tenantId, json, ...given }: TenantOptions & SecretOptions) => {
      const body = { secret: await givenSecret('secret', given) };
      const { ingest_url, secret } = await request(routes.rotateSecret, { tenantId, id, body });
      printRecord({ id, ingest_url, secret }, { json });
    },
  );

  recordVerb(source, 'disable', 'refuse its messages for now').action(
    async (id: number, { tenant: tenantId, json }: TenantOptions) => {
      printRecord(await patch(tenantId, id, { is_active: false }), { json });
    },
  );

  recordVerb(source, 'enable', 'accept its messages again').action(
    async (id: number, { tenant: tenantId, json }: TenantOptions) => {
      printRecord(await patch(tenantId, id, { is_active: true }), { json });
    },
  );

  recordVerb(source, 'delete', 'remove a source for good; its calls stay').action(
    async (id: number, { tenant: tenantId, json }: TenantOptions) => {
      printRecord(await request(routes.deleteSource, { tenantId, id }), { json });
    },
  );

  messageCommands(source);
}

const patch = (tenantId: number, id: number, body: object) =>
  request(routes.updateSource, { tenantId, id, body });

function parseJson(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below.
  }
  throw new InvalidArgumentError('It must be a JSON object.');
}
