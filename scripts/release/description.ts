import { openApiDocument } from '@frontdesk/contracts';

/** A value as JSON says it, with the keys of every object in order. Lists keep theirs. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

/** The description of API v1 in one stable form, a line for each value, so that differences can be read. */
export const descriptionText = (document: object = openApiDocument()) =>
  `${JSON.stringify(sorted(document), null, 2)}\n`;
