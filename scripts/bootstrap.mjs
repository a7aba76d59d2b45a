// What `npm start`, `npm test`, `npm run test:all` and `npm run check` run first, under whatever Node (18 or newer) there
// is: installs what is missing, makes what is not source, then runs scripts/<command>.ts under the Node that
// package-lock.json names.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureGeneratedClient } from './bootstrap/generated-client.mjs';
import { ensureNodeModules } from './bootstrap/node-modules.mjs';
import { Fault } from './bootstrap/output.mjs';
import { forwardSignals, runPinned } from './bootstrap/processes.mjs';
import { ensureSystemPackages } from './bootstrap/system-packages.mjs';

const OLDEST_NODE = 18;
const COMMANDS = ['start', 'test', 'test-all', 'check'];

process.exit(await main(process.argv.slice(2)));

/** @param {string[]} words */
async function main([command = '', ...rest]) {
  process.chdir(join(fileURLToPath(import.meta.url), '..', '..'));
  forwardSignals();
  try {
    if (!COMMANDS.includes(command))
      throw new Fault(`Usage: node scripts/bootstrap.mjs ${COMMANDS.join('|')}`);
    if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
      throw new Fault(`Node ${process.versions.node} is too old: install Node ${OLDEST_NODE} or newer.`);
    }
    await ensureSystemPackages(command);
    const node = await ensureNodeModules();
    await ensureGeneratedClient(node);
    return await runPinned(node, [`scripts/${command}.ts`, ...rest]);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    console.error(error.message);
    return 1;
  }
}
