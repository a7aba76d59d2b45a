import { Argument, type Command, InvalidArgumentError, Option } from 'commander';

/** What every verb has. */
export interface CommonOptions {
  json?: boolean;
}

export interface TenantOptions extends CommonOptions {
  tenant: number;
}

/** A verb of a noun, with `--json`. */
export function verb(noun: Command, nameAndArguments: string, description: string): Command {
  return noun
    .command(nameAndArguments)
    .description(description)
    .option('--json', 'print one JSON document and nothing else');
}

/** The tenant that a verb acts on: required, never guessed. */
function tenantOption(): Option {
  return new Option('--tenant <id>', 'the tenant').argParser(parseId).makeOptionMandatory();
}

/** The record that a verb acts on. */
export function idArgument(): Argument {
  return new Argument('<id>', 'its number in the list').argParser(parseId);
}

/** The same as the one thing that a verb is about. */
export function tenantArgument(): Argument {
  return new Argument('<tenant>', 'the tenant').argParser(parseId);
}

/** A verb on a tenant's records. */
export const tenantVerb = (noun: Command, name: string, description: string): Command =>
  verb(noun, name, description).addOption(tenantOption());

/** A verb on one record of a tenant. */
export const recordVerb = (noun: Command, name: string, description: string): Command =>
  tenantVerb(noun, name, description).addArgument(idArgument());

/** The options that were given, as a query. */
export function queryOf(given: Record<string, string | undefined>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

function parseId(text: string): number {
  const id = Number(text);
  if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(id)) {
    throw new InvalidArgumentError('It must be a positive whole number.');
  }
  return id;
}
