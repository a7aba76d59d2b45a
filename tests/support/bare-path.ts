import { mkdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { commandPath, START_COMMANDS, TERMINAL_COMMANDS } from '../../scripts/bootstrap/commands.js';
import { fromSetUp } from './from-set-up.ts';

/** What a test runs in its engines' stead where those are containers. */
const WITH_CONTAINERS = process.env.TEST_ENGINES === 'containers' ? ['docker'] : [];

/** Folders whose only content is what the bootstrap says is needed, each to be a PATH. `directory`: the run's. */
export async function makeBarePaths(directory: string): Promise<void> {
  const folder = resolve(directory, 'paths');
  process.env.TEST_TERMINAL_PATH = await linkAll(join(folder, 'terminal'), TERMINAL_COMMANDS);
  process.env.TEST_START_PATH = await linkAll(join(folder, 'start'), [...START_COMMANDS, ...WITH_CONTAINERS]);
}

/** A PATH with what commands of the README and of the guides may use, and nothing else. */
export const terminalPath = () => fromSetUp('TEST_TERMINAL_PATH');

/** A PATH with what `npm start` needs, and nothing else. */
export const startPath = () => fromSetUp('TEST_START_PATH');

async function linkAll(folder: string, commands: readonly string[]): Promise<string> {
  await mkdir(folder, { recursive: true });
  await Promise.all(
    commands.map(async (command) => {
      const found = pathOf(command);
      if (found) await symlink(found, join(folder, command));
    }),
  );
  return folder;
}

/** What is missing fails by its name where it is used: engines that are given, or in containers, need no command. */
function pathOf(command: string): string | undefined {
  if (command === 'node') return process.execPath;
  const found = commandPath(command, process.env);
  return found && resolve(found);
}
