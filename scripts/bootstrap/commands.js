// Plain JavaScript for Node 18: scripts/bootstrap.mjs asks this before anything is installed.
import { delimiter, join } from 'node:path';
import { isOnPath } from '../../libs/local-stack/src/requirements.js';

/** All that commands of the README and of the guides use, besides programs that the reader writes. */
export const TERMINAL_COMMANDS = ['sh', 'curl', 'node', 'npm', 'npx'];

/**
 * All that `npm start` runs: `id` and `useradd` where root starts it, as PostgreSQL refuses to run as root; `mvn` the first time, with
 * what its own script uses.
 */
export const START_COMMANDS = [
  ...['sh', 'node', 'npm', 'java', 'redis-server', 'id', 'useradd'],
  ...['mvn', 'uname', 'ls', 'expr', 'dirname', 'tr'],
];

/**
 * Where a command lies on the path.
 * @param {string} command
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined}
 */
export function commandPath(command, env) {
  const folders = (env.PATH ?? '').split(delimiter);
  const folder = folders.find((candidate) => isOnPath(command, { PATH: candidate }));
  return folder === undefined ? undefined : join(folder, command);
}

/**
 * What commands of the README and of the guides lack.
 * @param {NodeJS.ProcessEnv} env
 * @returns {import('../../libs/local-stack/src/requirements.js').Missing[]}
 */
export function missingForTerminal(env) {
  if (isOnPath('curl', env)) return [];
  const cure = 'apt-get install curl (macOS has it)';
  return [
    { sentence: `curl, which the commands of the guides use, is missing: ${cure}.`, packages: ['curl'] },
  ];
}
