import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runToEnd } from '../processes.ts';
import { REPOSITORY } from '../repository.ts';

type Command = readonly [command: string, ...args: string[]];

/**
 * The folder below .local with a tool of exactly this version, made by the commands where it isn't there as a whole. They run one
 * after another.
 */
export async function installedTool(
  nameAndVersion: string,
  install: (directory: string) => { commands: readonly Command[]; env?: NodeJS.ProcessEnv },
): Promise<string> {
  const directory = join(REPOSITORY, '.local', 'tools', nameAndVersion);
  const whole = join(directory, 'installed');
  if (existsSync(whole)) return directory;
  console.error(`Installing ${nameAndVersion} …`);
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const { commands, env } = install(directory);
  for (const [command, ...args] of commands) {
    const { code, output } = await runToEnd(command, args, { env: { ...process.env, ...env } });
    if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${code}.\n${output}`);
  }
  await writeFile(whole, '');
  return directory;
}
