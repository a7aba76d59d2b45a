import type { FieldErrors } from '@frontdesk/contracts';

/** As many as the longest list of a body may hold. */
const LONGEST_LIST = 10_000;
/** As many as the lists of a body hold together: those of a whole business. */
const MOST_ENTRIES = 100_000;

/**
 * What is wrong with the lengths of lists in these fields; null where nothing is. Zod looks at every entry before it counts them, and
 * makes an issue of each wrong one: a body of 1 MiB can have half a million.
 */
export function listFaults(input: unknown, fields: readonly string[]): FieldErrors | null {
  if (typeof input !== 'object' || input === null) return null;
  let entries = 0;
  for (const field of fields) {
    const pending: unknown[] = Object.hasOwn(input, field) ? [input[field as keyof typeof input]] : [];
    for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
      if (typeof value !== 'object' || value === null) continue;
      if (Array.isArray(value)) {
        entries += value.length;
        if (value.length > LONGEST_LIST || entries > MOST_ENTRIES)
          return { [field]: [`The ${field} field holds too many entries.`] };
      }
      for (const inner of Object.values(value)) pending.push(inner);
    }
  }
  return null;
}
