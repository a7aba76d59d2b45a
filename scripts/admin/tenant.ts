import { PLAN_LIMITS, tenantSchema } from '@frontdesk/contracts';
import { type Command, Option } from 'commander';
import { everyPage } from '../every-page.ts';
import { withService } from './clients.ts';
import { type CommonOptions, type TenantOptions, tenantOption, verb } from './options.ts';
import { printRecord, printTable } from './output.ts';
import { quotaCommands } from './tenant-quota.ts';

const planOption = () =>
  new Option('--plan <plan>', 'the rate limits and quotas that apply')
    .choices(Object.keys(PLAN_LIMITS))
    .makeOptionMandatory();

interface CreateOptions extends CommonOptions {
  name: string;
  plan: string;
  timezone: string;
  country: string;
  currency: string;
}

interface UpdateOptions {
  name?: string | undefined;
  timezone?: string | undefined;
}

export function tenantCommands(program: Command): void {
  const tenant = program.command('tenant').description('businesses that use this system');

  verb(tenant, 'create', 'add a business')
    .requiredOption('--name <name>', 'its name')
    .addOption(planOption())
    .requiredOption('--timezone <zone>', 'IANA time zone, for example Europe/Berlin')
    .requiredOption('--currency <code>', 'ISO 4217, for example EUR')
    .requiredOption('--country <code>', 'ISO 3166-1 alpha-2, for example DE; how its phone numbers are read')
    .action(async ({ json, ...body }: CreateOptions) => {
      const created = await withService('gateway', (gateway) =>
        gateway.request({ method: 'POST', path: '/internal/tenants', body, schema: tenantSchema }),
      );
      printRecord(created, { json });
    });

  verb(tenant, 'list', 'every business').action(async (options: CommonOptions) => {
    const tenants = await withService('gateway', (gateway) =>
      everyPage((query) =>
        gateway.request({
          method: 'GET',
          path: `/internal/tenants?${query}`,
          schema: tenantSchema.array(),
        }),
      ),
    );
    printTable(tenants, ['id', 'name', 'plan', 'status', 'timezone', 'country', 'currency'], options);
  });

  verb(tenant, 'update', 'change the name or the time zone of a business; appointments keep their instant')
    .addOption(tenantOption())
    .option('--name <name>', 'its new name')
    .option('--timezone <zone>', 'IANA time zone, for example Europe/Berlin')
    .action(async ({ tenant: id, name, timezone, json }: TenantOptions & UpdateOptions) => {
      printRecord(await update(id, { name, timezone }), { json });
    });

  verb(
    tenant,
    'set-plan',
    'change the rate limits and quotas of a business; records beyond a smaller plan stay',
  )
    .addOption(tenantOption())
    .addOption(planOption())
    .action(async ({ tenant: id, plan, json }: TenantOptions & { plan: string }) => {
      printRecord(await update(id, { plan }), { json });
    });

  verb(tenant, 'suspend', 'refuse requests and changes of a business; its webhooks wait')
    .addOption(tenantOption())
    .action(async ({ tenant: id, json }: TenantOptions) => {
      printRecord(await update(id, { status: 'suspended' }), { json });
    });

  verb(tenant, 'resume', 'end a suspension: waiting webhooks go out, the oldest first')
    .addOption(tenantOption())
    .action(async ({ tenant: id, json }: TenantOptions) => {
      printRecord(await update(id, { status: 'active' }), { json });
    });

  quotaCommands(tenant);
}

function update(id: number, body: UpdateOptions & { plan?: string; status?: string }) {
  return withService('gateway', (gateway) =>
    gateway.request({ method: 'PATCH', path: `/internal/tenants/${id}`, body, schema: tenantSchema }),
  );
}
