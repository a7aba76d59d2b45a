import type { FieldErrors } from '@frontdesk/contracts';

/** Most entries of one list. */
const MAX_LIST_LENGTH = 10_000;
/** Most entries of all lists in a body together: enough for the document of a whole business. */
const MAX_ENTRIES = 100_000;

/**
 * The first of these fields whose lists are too long, as a field error; null where none is. Checked before zod, which would
 * parse every entry and report every wrong one before it counts them: a body of 1 MiB can have half a million.
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
        if (value.length > MAX_LIST_LENGTH || entries > MAX_ENTRIES)
          return { [field]: [`The ${field} field holds too many entries.`] };
      }
      for (const inner of Object.values(value)) pending.push(inner);
    }
  }
  return null;
}
