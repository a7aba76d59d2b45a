import { join } from 'node:path';
import type { TestCounts } from '../test/count-tests.ts';
import { runTests } from '../test/run-tests.ts';
import { installedTool } from './install-tool.ts';

const OASDIFF = 'github.com/oasdiff/oasdiff';
const VERSION = 'v1.36.0';

/** Compares the description of API v1 with that of the last release, and tries the comparison itself. */
export async function testCompatibility(args: readonly string[]): Promise<TestCounts> {
  const directory = await installedTool(`oasdiff-${VERSION}`, (folder) => ({
    commands: [['go', 'install', `${OASDIFF}@${VERSION}`]],
    env: { GOBIN: folder },
  }));
  const env = { ...process.env, OASDIFF: join(directory, 'oasdiff') };
  return runTests(['scripts/release/compatibility.test.ts', ...args], env);
}
