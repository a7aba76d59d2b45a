import { readFileSync } from 'node:fs';
import { z } from 'zod';

export const ENGINES = ['postgres', 'redis', 'kafka'] as const;
export type Engine = (typeof ENGINES)[number];

const password = z.string().min(1);
const passwords = z.partialRecord(z.enum(ENGINES), password);
const enginePasswordsFile = passwords.and(z.object({ previous: passwords.optional() }));

/** The passwords of one service's users. `previous` has those that are being replaced and may still be in force. */
export type EnginePasswordsFile = z.infer<typeof enginePasswordsFile>;

/**
 * Reads ENGINE_PASSWORDS_FILE. Read it for each connection, so that a password can be replaced while the service runs. It doesn't
 * wait: kafkajs asks for a password at once.
 * @returns the service's current password at an engine, then the previous one while it is being replaced
 * @throws Error of one line that names the variable and the file, and never what is in it
 */
export function enginePasswords(file: string, engine: Engine): [string, ...string[]] {
  const content = enginePasswordsFile.safeParse(readPasswords(file)).data;
  const current = content?.[engine];
  if (!content || !current)
    throw new Error(`ENGINE_PASSWORDS_FILE: ${file} must hold {"${engine}": "<password>"}.`);
  const previous = content.previous?.[engine];
  return previous ? [current, previous] : [current];
}

function readPasswords(file: string): unknown {
  const text = readText(file);
  try {
    return JSON.parse(text);
  } catch {
    // Neither the message nor a cause: a parser's error repeats the text that it stumbled over.
    return null;
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`ENGINE_PASSWORDS_FILE: ${file} can't be read (${code}).`, { cause: error });
  }
}
