import {
  type CreateTenant,
  PLAN_LIMITS,
  gatewayRoutes as routes,
  type UpdateTenant,
} from '@frontdesk/contracts';
import { type Command, Option } from 'commander';
import { everyPage } from '../../every-page.ts';
import { requestTo } from '../clients.ts';
import { type CommonOptions, type TenantOptions, tenantVerb, verb } from '../options.ts';
import { printRecord, printTable } from '../output.ts';
import { quotaCommands } from './tenant-quota.ts';

const request = requestTo('gateway');

const planOption = () =>
  new Option('--plan <plan>', 'the rate limits and quotas that apply')
    .choices(Object.keys(PLAN_LIMITS))
    .makeOptionMandatory();

export function tenantCommands(program: Command): void {
  const tenant = program.command('tenant').description('businesses that use this system');

  verb(tenant, 'create', 'add a business')
    .requiredOption('--name <name>', 'its name')
    .addOption(planOption())
    .requiredOption('--timezone <zone>', 'IANA time zone, for example Europe/Berlin')
    .requiredOption('--currency <code>', 'ISO 4217, for example EUR')
    .requiredOption('--country <code>', 'ISO 3166-1 alpha-2, for example DE; how its phone numbers are read')
    .action(async ({ json, ...body }: CommonOptions & CreateTenant) => {
      printRecord(await request(routes.createTenant, { body }), { json });
    });

  verb(tenant, 'list', 'every business').action(async (options: CommonOptions) => {
    const tenants = await everyPage((query) => request(routes.listTenants, { query }));
    printTable(tenants, ['id', 'name', 'plan', 'status', 'timezone', 'country', 'currency'], options);
  });

  tenantVerb(
    tenant,
    'update',
    'change the name or the time zone of a business; appointments keep their instant',
  )
    .option('--name <name>', 'its new name')
    .option('--timezone <zone>', 'IANA time zone, for example Europe/Berlin')
    .action(async ({ tenant: id, name, timezone, json }: TenantOptions & UpdateTenant) => {
      printRecord(await update(id, { name, timezone }), { json });
    });

  tenantVerb(
    tenant,
    'set-plan',
    'change the rate limits and quotas of a business; records beyond a smaller plan stay',
  )
    .addOption(planOption())
    .action(async ({ tenant: id, plan, json }: TenantOptions & UpdateTenant) => {
      printRecord(await update(id, { plan }), { json });
    });

  tenantVerb(tenant, 'suspend', 'refuse requests and changes of a business; its webhooks wait').action(
    async ({ tenant: id, json }: TenantOptions) => {
      printRecord(await update(id, { status: 'suspended' }), { json });
    },
  );

  tenantVerb(tenant, 'resume', 'end a suspension: waiting webhooks go out, the oldest first').action(
    async ({ tenant: id, json }: TenantOptions) => {
      printRecord(await update(id, { status: 'active' }), { json });
    },
  );

  quotaCommands(tenant);
}

const update = (tenantId: number, body: UpdateTenant) => request(routes.updateTenant, { tenantId, body });
