/** The most parameters that a text takes by their positions: of more than these nobody sees which is which. */
const MAX_POSITIONS = 6;

/** A literal, in which there are no parameters, or a parameter by its position or its name. */
const PARAMETER = /'[^']*'|(?<![\w$])\$(?:(?<position>\d+)|(?<name>[a-z]\w*))/gi;

/** A statement's text as PostgreSQL takes it, with positions for all its parameters. */
export interface Numbered {
  readonly text: string;
  /** In the order of their positions. Absent where the statement was declared with positions. */
  readonly names?: readonly string[];
}

/** What a caller gives: one argument for each position, or one object with a value for each name. */
export type Given<Args extends object> = Args extends unknown[] ? Args : [values: NoInfer<Args>];

/** Gives names positions from `first` on. @throws Error for a text with both, or with too many positions */
export function numberNames(statement: string, text: string, first: number): Numbered {
  const found = text.matchAll(PARAMETER).toArray();
  const names = [...new Set(found.flatMap(({ groups }) => groups?.name ?? []))];
  const positions = found.flatMap(({ groups }) => (groups?.position ? Number(groups.position) : []));
  if (names.length === 0) {
    if (Math.max(...positions) <= MAX_POSITIONS) return { text };
    throw new Error(`Statement ${statement} has more than ${MAX_POSITIONS} parameters: give them names.`);
  }
  if (Math.max(...positions) >= first)
    throw new Error(`Statement ${statement} has parameters with names and others without.`);
  const numbered = text.replace(PARAMETER, (parameter) => {
    const index = names.indexOf(parameter.slice(1));
    return index < 0 ? parameter : `$${index + first}`;
  });
  return { text: numbered, names };
}

/** The values in the order of their positions. @throws Error unless each name has one, and nothing else */
export function valuesOf(statement: Numbered & { name: string }, given: readonly unknown[]) {
  const { name, names } = statement;
  if (!names) return given;
  const values = given[0] as Record<string, unknown>;
  const missing = names.filter((parameter) => !Object.hasOwn(values, parameter));
  if (missing.length > 0) throw new Error(`Statement ${name} got no value for ${missing.join(', ')}.`);
  const unknown = Object.keys(values).filter((key) => !names.includes(key));
  if (unknown.length > 0) throw new Error(`Statement ${name} has no parameter ${unknown.join(', ')}.`);
  return names.map((parameter) => values[parameter]);
}
