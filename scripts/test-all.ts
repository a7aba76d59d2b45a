import { stopSignals } from './start/processes/stop-signals.ts';
import { ONE_FAILURE, sum, summaryOf, type TestCounts } from './test/count-tests.ts';
import { AREAS, type Area } from './test-all/areas.ts';
import { missingTools } from './test-all/tools.ts';

const HELP = `npm run test:all [-- AREA [arguments]]

Tests that need more than npm test does. Without an area, all run one after another. Arguments go to jest; stress takes --times N and
paths of tests.

${Object.entries(AREAS)
  .map(([name, { purpose }]) => `  ${name.padEnd(15)}${purpose}`)
  .join('\n')}`;

const { stop } = stopSignals();
process.exitCode = await main(process.argv.slice(2));

async function main([name, ...args]: string[]): Promise<number> {
  if (name === '--help' || name === '-h') {
    console.log(HELP);
    return 0;
  }
  if (name !== undefined && !Object.hasOwn(AREAS, name)) {
    console.error(`There is no area "${name}".\n\n${HELP}`);
    return 2;
  }
  let total = { passed: 0, failed: 0 };
  for (const [areaName, area] of Object.entries(AREAS)) {
    if (stop.aborted || (name !== undefined && name !== areaName)) continue;
    total = sum(total, await testArea(areaName, area, args));
  }
  console.log(summaryOf(total));
  return total.failed > 0 || stop.aborted ? 1 : 0;
}

/** A missing tool counts as a failure: an untested area must not look tested. */
async function testArea(name: string, area: Area, args: string[]): Promise<TestCounts> {
  const missing = missingTools(area.tools);
  for (const sentence of missing) console.error(`${name}: ${sentence}`);
  const counts =
    missing.length > 0
      ? ONE_FAILURE
      : await area.run(args, stop).catch((error: Error) => {
          console.error(`${name}: ${error.message}`);
          return ONE_FAILURE;
        });
  console.log(`${name}: ${summaryOf(counts)}`);
  return counts;
}
