import {
  gatewayRoutes,
  PLAN_QUOTAS,
  QUOTA_NAMES,
  type QuotaName,
  type QuotaUsage,
  quotaRoutes,
  quotasOf,
} from '@frontdesk/contracts';
import { Argument, type Command, InvalidArgumentError } from 'commander';
import { requestTo } from '../clients.ts';
import { type CommonOptions, tenantArgument, verb } from '../options.ts';
import { printRecord, printTable } from '../output.ts';
import { QUOTA_SERVICES } from '../status/near-quotas.ts';

/** The commands that show how much a business uses of its quotas, and that raise them. */
export function quotaCommands(tenant: Command): void {
  verb(tenant, 'usage', 'how much of its quotas a business uses; call messages: today (UTC)')
    .addArgument(tenantArgument())
    .action(async (id: number, options: CommonOptions) => {
      const record = await requestTo('gateway')(gatewayRoutes.getTenant, { tenantId: id });
      const quotas = quotasOf(record);
      const used = await usageOf(id);
      const rows = QUOTA_NAMES.map((quota) => ({
        quota,
        used: used[quota],
        allowed: quotas[quota],
        plan: PLAN_QUOTAS[record.plan][quota],
      }));
      printTable(rows, ['quota', 'used', 'allowed', 'plan'], options);
    });

  verb(tenant, 'set-quota', 'raise a quota of a business above its plan; `default` resets it to the plan')
    .addArgument(tenantArgument())
    .addArgument(new Argument('<name>', 'the quota').choices(QUOTA_NAMES))
    .addArgument(
      new Argument('<number>', 'a number, not below the plan’s, or default').argParser(parseNumber),
    )
    .action(async (tenantId: number, name: QuotaName, number: number | null, options: CommonOptions) => {
      const body = { quotas: { [name]: number } };
      printRecord(await requestTo('gateway')(gatewayRoutes.updateTenant, { tenantId, body }), options);
    });
}

async function usageOf(tenantId: number): Promise<QuotaUsage> {
  const answers = await Promise.all(
    QUOTA_SERVICES.map((service) => requestTo(service)(quotaRoutes.getQuotaUsage, { tenantId })),
  );
  return Object.assign({}, ...answers);
}

function parseNumber(text: string): number | null {
  if (text === 'default') return null;
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, or default.');
  return Number(text);
}
