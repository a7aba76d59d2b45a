import { AppError } from '@frontdesk/service';
import { type Command, CommanderError } from 'commander';

const EXIT_UNREACHABLE = 1;
const EXIT_WRONG_INPUT = 2;

/** What the caller typed or handed over is wrong, found before any service was asked. */
export class WrongInput extends Error {}

/** The system can't be asked, or can't answer. */
export class Unreachable extends Error {
  /** Names the service that didn't answer; any other failure is passed on as it is. */
  static from(error: unknown, service: string, address: string): unknown {
    if (!(error instanceof AppError) || error.status < 500) return error;
    // An error of the connection, or the failure that the service answered.
    const { code, message, name } = (error.cause ?? {}) as { code?: string; message?: string; name?: string };
    const why = message || name;
    return new Unreachable(
      code === 'unauthorized'
        ? `${service} at ${address} refuses the operator's key: it is another system's (OPERATOR_KEY_FILE), or the clocks differ.`
        : `${service} can't be reached or can't answer at ${address}${why ? ` (${why})` : ''}.`,
      { cause: error },
    );
  }
}

/** Runs the command line. A fault is one line for people, and an exit code: 2 for wrong input, 1 for a system that is away or faulty. */
export async function runProgram(program: Command): Promise<void> {
  // A reader that has seen enough, such as `head`, ends the command.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  try {
    await program.parseAsync();
  } catch (error) {
    showError(error);
  }
}

export function showError(error: unknown): void {
  const { line, exitCode } = explain(error);
  if (line) console.error(`error: ${line}`);
  process.exitCode = exitCode;
}

function explain(error: unknown): { line: string | null; exitCode: number } {
  if (error instanceof CommanderError) {
    // Commander has written its own line; asking for help or the version is no fault.
    return { line: null, exitCode: error.exitCode === 0 ? 0 : EXIT_WRONG_INPUT };
  }
  if (error instanceof WrongInput) return { line: error.message, exitCode: EXIT_WRONG_INPUT };
  if (error instanceof AppError) {
    const fields = Object.entries(error.errors ?? {}).map(([field, texts]) => `${field}: ${texts.join(' ')}`);
    return { line: [error.message, ...fields].join(' '), exitCode: EXIT_WRONG_INPUT };
  }
  return { line: error instanceof Error ? error.message : String(error), exitCode: EXIT_UNREACHABLE };
}
