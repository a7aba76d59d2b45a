import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToEnd } from '../processes.ts';
import { leftOutHint } from './area-folders.ts';
import { countTests, ONE_FAILURE, type TestCounts } from './count-tests.ts';

const JEST = 'node_modules/jest/bin/jest.js';
/** Every test file loads its modules anew: with V8's small default, collecting what they left takes an eighth of a run. */
const FEWER_COLLECTIONS = ['--max-semi-space-size=32'];

/** Runs jest, which reports on standard error as it goes, and counts what passed and failed. */
export async function runTests(args: readonly string[], env = process.env): Promise<TestCounts> {
  const hint = leftOutHint(args, env);
  if (hint !== null) {
    console.error(hint);
    return ONE_FAILURE;
  }
  if (env.TEST_ENGINES === 'containers') {
    console.error(
      'Engines in containers: tests/integration/local-stack, which tests local ones, is left out.',
    );
  }
  const directory = await mkdtemp(join(tmpdir(), 'frontdesk-test-'));
  const resultsFile = join(directory, 'results.json');
  const { code } = await runToEnd(
    process.execPath,
    [...FEWER_COLLECTIONS, JEST, '--json', `--outputFile=${resultsFile}`, ...args],
    { stdio: ['inherit', 'ignore', 'inherit'], env }, // --json repeats the results on stdout
  );
  const counts = await countTests(resultsFile, code);
  await rm(directory, { recursive: true });
  return counts;
}
