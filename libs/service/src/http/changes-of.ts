import { isDeepStrictEqual } from 'node:util';

/**
 * The fields of `patch` that differ from `before`; null if none does. `undefined` leaves a field as it is, `null` is a value.
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
