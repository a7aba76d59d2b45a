import { join } from 'node:path';
import { REPOSITORY } from '../repository.ts';
import type { TestCounts } from '../test/count-tests.ts';
import { runTests } from '../test/run-tests.ts';
import { installedTool } from './install-tool.ts';

const TESTS = 'tests/schemathesis';
/** As requirements.txt there says. */
const VERSION = '4.32.5';

/** Tries the description of a running system with Schemathesis. SCHEMATHESIS_SEED repeats a run, SCHEMATHESIS_SECONDS sets its length. */
export async function testWithSchemathesis(args: readonly string[]): Promise<TestCounts> {
  const directory = await installedTool(`schemathesis-${VERSION}`, (venv) => ({
    commands: [
      ['python3', '-m', 'venv', venv],
      [
        join(venv, 'bin', 'pip'),
        ...['install', '--quiet', '--disable-pip-version-check'],
        ...['--requirement', join(REPOSITORY, TESTS, 'requirements.txt')],
      ],
    ],
  }));
  return runTests([TESTS, ...args], { ...process.env, SCHEMATHESIS: join(directory, 'bin', 'st') });
}
