import { join } from 'node:path';
import type { TestCounts } from '../test/count-tests.ts';
import { runTests } from '../test/run-tests.ts';
import { installedTool } from './install-tool.ts';
import { RELEASE_0_1_0 } from './tools.ts';

const OASDIFF = 'github.com/oasdiff/oasdiff';
const VERSION = 'v1.36.0';

/** Compares the description of API v1 with that of the last release, and runs that release on databases of this one. */
export async function testCompatibility(args: readonly string[]): Promise<TestCounts> {
  const directory = await installedTool(`oasdiff-${VERSION}`, (folder) => ({
    commands: [['go', 'install', `${OASDIFF}@${VERSION}`]],
    env: { GOBIN: folder },
  }));
  const release = await installedTool(`frontdesk-${RELEASE_0_1_0}`, (folder) => ({
    commands: [
      ['sh', '-c', `git archive ${RELEASE_0_1_0} | tar -x -C '${folder}'`],
      ['sh', '-c', `cd '${folder}' && npm ci`],
    ],
  }));
  const env = { ...process.env, OASDIFF: join(directory, 'oasdiff'), RELEASE_0_1_0: release };
  return runTests(['scripts/release/compatibility.test.ts', 'tests/compatibility', ...args], env);
}
