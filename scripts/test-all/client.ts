import { join } from 'node:path';
import type { TestCounts } from '../test/count-tests.ts';
import { runTests } from '../test/run-tests.ts';
import { installedTool } from './install-tool.ts';

/** The oldest that the client supports. */
const VERSION = '18.20.8';

/** Tries the packed client beyond this project's own Node, and what the guides show for other languages. */
export async function testClient(args: readonly string[]): Promise<TestCounts> {
  const name = `node-${process.platform}-${process.arch}`;
  const directory = await installedTool(`node-${VERSION}`, (folder) => ({
    commands: [
      ['npm', 'install', '--prefix', folder, '--no-audit', '--no-fund', '--no-save', `${name}@${VERSION}`],
    ],
  }));
  const node = join(directory, 'node_modules', name, 'bin', 'node');
  return runTests(['tests/client', ...args], { ...process.env, CLIENT_NODE_18: node });
}
