import { type HoldsState, schedulingRoutes as routes } from '@frontdesk/contracts';
import type { Command } from 'commander';
import { requestTo } from '../clients.ts';
import { type CommonOptions, tenantArgument, verb } from '../options.ts';
import { printRecord, tableOf } from '../output.ts';

const request = requestTo('scheduling');

export function holdsCommands(program: Command): void {
  const holds = program.command('holds').description('times that are kept free while somebody decides');

  verb(
    holds,
    'show',
    'whether new holds are made, how many there are, and in which businesses the most',
  ).action(async (options: CommonOptions) => printState(await request(routes.getHoldsState, {}), options));

  for (const [name, description, is_on] of [
    ['on', 'make holds from now on; after an upgrade only once no process of the release before runs', true],
    ['off', 'make no new holds in any business; open ones stay until their end', false],
  ] as const)
    verb(holds, name, description).action(async (options: CommonOptions) =>
      printState(await request(routes.switchHolds, { body: { is_on } }), options),
    );

  verb(holds, 'release', 'end all open holds of a business: their times are free at once')
    .addArgument(tenantArgument())
    .action(async (tenantId: number, options: CommonOptions) =>
      printRecord(await request(routes.releaseHolds, { tenantId }), options),
    );
}

function printState(state: HoldsState, { json }: CommonOptions): void {
  const { businesses, ...system } = state;
  printRecord(json ? state : system, { json });
  if (!json && businesses.length > 0) console.log(`\n${tableOf(businesses, ['tenant_id', 'open'])}`);
}
