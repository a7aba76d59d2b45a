import { join } from 'node:path';
import { type CommandResult, runCommand } from './command.ts';

/** The command line as a process of its own. */
export const ADMIN = [process.execPath, join(import.meta.dirname, '../../../scripts/admin/main.ts')];

export interface Operator {
  /** The operator's command line, whatever comes of it. */
  run(args: readonly string[], input?: string): Promise<CommandResult>;
  /** The document that a command with `--json` prints. @throws where it fails. */
  json<Document>(args: readonly string[], input?: string): Promise<Document>;
}

/** For the system at `portBase`. */
export function localOperator(system: { portBase: number; keysDirectory: string }): Operator {
  return operatorBy(ADMIN, {
    PATH: process.env.PATH,
    PORT_BASE: String(system.portBase),
    OPERATOR_KEY_FILE: join(system.keysDirectory, 'operator.json'),
  });
}

export function operatorBy(command: readonly string[], env: NodeJS.ProcessEnv): Operator {
  const run: Operator['run'] = (args, input) =>
    runCommand([...command, ...args], { env, ...(input === undefined ? {} : { input }) });
  return {
    run,
    async json<Document>(args: readonly string[], input?: string) {
      const { code, stdout, stderr } = await run([...args, '--json'], input);
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as Document;
    },
  };
}
