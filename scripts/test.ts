import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToEnd } from './processes.ts';
import { countTests } from './test/count-tests.ts';

/** `npm test [-- arguments of jest]`: the last line says `N passed, N failed`, and only an exit code of 0 means that all did. */
const directory = await mkdtemp(join(tmpdir(), 'frontdesk-test-'));
const resultsFile = join(directory, 'results.json');
const jest = 'node_modules/jest/bin/jest.js';
const { code } = await runToEnd(
  process.execPath,
  [jest, '--json', `--outputFile=${resultsFile}`, ...process.argv.slice(2)],
  { stdio: ['inherit', 'ignore', 'inherit'] }, // --json repeats the results on stdout
);
const { passed, failed } = await countTests(resultsFile, code);
await rm(directory, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
