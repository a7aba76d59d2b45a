import { type ParseArgsConfig, parseArgs } from 'node:util';
import { WrongUse } from './exit-codes.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** The options and arguments of a command. @throws WrongUse */
export function parsed<Given extends Options>(
  command: string,
  words: readonly string[],
  options: Given,
  { maxArguments = 0 } = {},
) {
  try {
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
    if (positionals.length <= maxArguments) return { values, positionals };
  } catch (error) {
    // Node names the option; what it adds to that is for others.
    const [reason] = (error as Error).message.split('. ');
    throw new WrongUse(`${reason}. See frontdesk ${command} --help.`);
  }
  throw new WrongUse(
    `frontdesk ${command} takes ${maxArguments === 0 ? 'no argument' : 'one argument'}. See frontdesk ${command} --help.`,
  );
}

/** The address of a receiver: `localhost:3000/hooks` will do. @throws WrongUse */
export function receiverUrl(text: string): URL {
  const given = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = tryUrl(given);
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) {
    url.hash = '';
    return url;
  }
  throw new WrongUse(
    '--forward must be an http or https address without credentials, such as http://localhost:3000/hooks.',
  );
}

function tryUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
