import { stopSignals } from './start/stop-signals.ts';
import { summaryOf, type TestCounts } from './test/count-tests.ts';
import { AREAS, type Area } from './test-all/areas.ts';
import { missingTools } from './test-all/tools.ts';

const HELP = `npm run test:all [-- AREA [arguments]]

Tests that need more than npm test does. Without an area: all of them, one after the other. The arguments are those of jest; of stress,
paths of tests.

${Object.entries(AREAS)
  .map(([name, { purpose }]) => `  ${name.padEnd(12)}${purpose}`)
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
  const total = { passed: 0, failed: 0 };
  for (const [areaName, area] of Object.entries(AREAS)) {
    if (stop.aborted || (name !== undefined && name !== areaName)) continue;
    const { passed, failed } = await testArea(areaName, area, args);
    total.passed += passed;
    total.failed += failed;
  }
  console.log(summaryOf(total));
  return total.failed > 0 || stop.aborted ? 1 : 0;
}

const FAILURE: TestCounts = { passed: 0, failed: 1 };

/** Where a tool is missing, that is a failure: nobody shall believe that the area was tested. */
async function testArea(name: string, area: Area, args: string[]): Promise<TestCounts> {
  const missing = missingTools(area.tools);
  for (const sentence of missing) console.error(`${name}: ${sentence}`);
  const counts =
    missing.length > 0
      ? FAILURE
      : await area.run(args, stop).catch((error: Error) => {
          console.error(`${name}: ${error.message}`);
          return FAILURE;
        });
  console.log(`${name}: ${summaryOf(counts)}`);
  return counts;
}
