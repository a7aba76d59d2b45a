/** A literal, in which there are no parameters, or a parameter by its position or its name. */
const PARAMETER = /'[^']*'|(?<![\w$])\$(?:(?<position>\d+)|(?<name>[a-z]\w*))/gi;

/** In a tenant's statement the parameter that its scope gives, and nobody else can. */
export const TENANT_PARAMETER = 'tenantId';

/** A statement's text as PostgreSQL takes it, with positions for its parameters. */
export interface Numbered {
  readonly text: string;
  /** Of the parameters, in the order of their positions. */
  readonly names: readonly string[];
}

/** What a caller gives: an object with a value for each name; nothing where there are none. */
export type Given<Args extends object> = keyof Args extends never ? [] : [values: NoInfer<Args>];

/** Gives names positions, in the order in which the text first names them. @throws Error for a text with positions of its own */
export function numberNames(statement: string, text: string): Numbered {
  const positions = new Map<string, number>();
  const numbered = text.replace(PARAMETER, (found, position?: string, name?: string) => {
    if (position) throw new Error(`Statement ${statement} has a parameter without a name: ${found}.`);
    return name ? `$${positions.getOrInsertComputed(name, () => positions.size + 1)}` : found;
  });
  return { text: numbered, names: [...positions.keys()] };
}

/** The values in the order of their positions. @throws Error unless each name has one, and nothing else */
export function valuesOf(
  statement: Numbered & { name: string },
  given: object,
  tenantId: number | null,
): unknown[] {
  const { name, names } = statement;
  let used = 0;
  const values = names.map((parameter) => {
    if (parameter === TENANT_PARAMETER && tenantId !== null) return tenantId;
    const value = (given as Record<string, unknown>)[parameter];
    if (value === undefined && !Object.hasOwn(given, parameter))
      throw new Error(`Statement ${name} got no value for ${parameter}.`);
    used += 1;
    return value;
  });
  const keys = Object.keys(given);
  if (keys.length === used) return values;
  const unknown = keys.filter(
    (key) => !names.includes(key) || (key === TENANT_PARAMETER && tenantId !== null),
  );
  throw new Error(`Statement ${name} has no parameter ${unknown.join(', ')}.`);
}
