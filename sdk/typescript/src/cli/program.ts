import { VERSION } from '../version.ts';
import { BOUNDS, type Bounds } from './bounds.ts';
import { EXIT_DONE, EXIT_WRONG_USE, explain, WrongUse } from './exit-codes.ts';
import { HELP } from './help.ts';
import { listen } from './listen.ts';
import { samples } from './samples.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { trigger } from './trigger.ts';

type Command = (words: readonly string[], terminal: Terminal, bounds: Bounds) => Promise<number>;

const COMMANDS = { listen, trigger, samples } satisfies Record<string, Command>;

const isCommand = (name: string): name is keyof typeof COMMANDS => Object.hasOwn(COMMANDS, name);

/** Runs the command line with this process's output. @returns the exit code */
export async function runFrontdesk(words: readonly string[], bounds = BOUNDS): Promise<number> {
  const { terminal, close } = openTerminal();
  try {
    return await run(words, terminal, bounds);
  } catch (error) {
    const { line, exitCode } = explain(error);
    terminal.err(`error: ${line}`);
    return exitCode;
  } finally {
    close();
  }
}

async function run([name, ...words]: readonly string[], terminal: Terminal, bounds: Bounds): Promise<number> {
  const { out, err } = terminal;
  if (name === '--version') return say(out, VERSION, EXIT_DONE);
  if (name === '--help' || name === '-h' || name === 'help') {
    const [about = ''] = words;
    return say(out, isCommand(about) ? HELP[about]() : HELP.frontdesk(), EXIT_DONE);
  }
  if (name === undefined) return say(err, HELP.frontdesk(), EXIT_WRONG_USE);
  if (!isCommand(name))
    throw new WrongUse(
      `There is no command ${JSON.stringify(name)}. There are: ${Object.keys(COMMANDS).join(', ')}.`,
    );
  if (words.includes('--help') || words.includes('-h')) return say(out, HELP[name](), EXIT_DONE);
  return COMMANDS[name](words, terminal, bounds);
}

function say(print: (line: string) => void, text: string, exitCode: number): number {
  print(text);
  return exitCode;
}
