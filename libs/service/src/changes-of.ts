import { isDeepStrictEqual } from 'node:util';

/**
 * What a patch changes about a record; null where all that it says is so already. In a patch `undefined` says nothing about a field,
 * and `null` is a value like any other.
 */
export function changesOf<Fields extends object>(
  before: Fields,
  patch: { [Name in keyof Fields]?: Fields[Name] | undefined },
): Partial<Fields> | null {
  const changes = Object.entries(patch).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, before[name as keyof Fields]),
  );
  return changes.length > 0 ? (Object.fromEntries(changes) as Partial<Fields>) : null;
}
