import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import { WrongInput } from './errors.ts';

/** What `secretOptions` parses: `passwordFile` and `password`, for example. */
type Given<What extends string> = { [Key in `${What}File`]?: string } & { [Key in What]?: string | true };

/**
 * The options by which a command takes a secret: from a file, or from standard input. In its arguments it would stand in the list of
 * processes and in the shell's history, so the option of earlier releases only says so.
 */
export const secretOptions = (command: Command, what: 'password' | 'secret', description: string): Command =>
  command
    .option(`--${what}-file <file>`, `${description}; a file with it, - reads standard input`)
    .addOption(new Option(`--${what} [value]`).hideHelp());

/** The secret, where one is given. @throws WrongInput where it stands in the arguments, or can't be read */
export async function givenSecret<What extends 'password' | 'secret'>(
  what: What,
  given: Given<What>,
): Promise<string | undefined> {
  const options: Readonly<Record<string, string | true | undefined>> = given;
  if (options[what] !== undefined)
    throw new WrongInput(
      `A ${what} in the arguments can be read in the list of processes and in the shell's history. Give it by --${what}-file FILE, where - reads standard input${what === 'password' ? ', or leave it out on a terminal, and you are asked for it' : ''}.`,
    );
  const file = options[`${what}File`];
  return typeof file === 'string' ? oneLineOf(file, what) : undefined;
}

/** The password that is given or, on a terminal, typed, which nobody sees. @throws WrongInput as `givenSecret` */
export async function requiredPassword(given: Given<'password'>): Promise<string> {
  const password = await givenSecret('password', given);
  if (password !== undefined) return password;
  if (!process.stdin.isTTY)
    throw new WrongInput('Give the password by --password-file FILE, where - reads standard input.');
  const typed = await ask('Password: ');
  if (typed === '') throw new WrongInput('No password was typed.');
  if ((await ask('The same again: ')) !== typed) throw new WrongInput('The two passwords differ.');
  return typed;
}

/** What a file holds, or `-` standard input: one line. @throws WrongInput where it is none */
export async function oneLineOf(file: string, what: string): Promise<string> {
  const name = file === '-' ? 'Standard input' : file;
  const content = await (file === '-' ? readAll(process.stdin) : readFile(file, 'utf8')).catch(
    (cause: Error) => {
      throw new WrongInput(`${name} can't be read: ${cause.message}`, { cause });
    },
  );
  const line = content.replace(/\r?\n$/, '');
  if (line === '') throw new WrongInput(`${name} holds no ${what}.`);
  if (/[\r\n]/.test(line))
    throw new WrongInput(`${name} holds more than one line: expected the ${what} alone.`);
  return line;
}

/** Asks on the terminal, without showing what is typed. */
async function ask(question: string): Promise<string> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: unseen, terminal: true });
  const gone = Promise.withResolvers<never>();
  const giveUp = () => gone.reject(new WrongInput('Nothing was changed: no password was typed.'));
  terminal.once('SIGINT', giveUp).once('close', giveUp);
  // Now that the terminal shows nothing any more.
  process.stderr.write(question);
  try {
    return await Promise.race([terminal.question(''), gone.promise]);
  } finally {
    terminal.off('close', giveUp);
    terminal.close();
    process.stderr.write('\n');
  }
}
