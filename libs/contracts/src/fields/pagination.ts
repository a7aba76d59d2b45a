import { z } from 'zod';
import { queryInteger } from './fields.ts';

export const MAX_PAGE = 1_000_000;
export const MAX_PER_PAGE = 100;
const DEFAULT_PER_PAGE = 20;

/** `page` and `per_page` of every paginated list: 1-based, `per_page` above 100 is taken as 100. */
export const pageQuery = z.object({
  page: queryInteger
    .pipe(
      z
        .int()
        .min(1, 'The page field must be at least 1.')
        .max(MAX_PAGE, `The page field must be at most ${MAX_PAGE}.`),
    )
    .default(1)
    .meta({ minimum: 1, maximum: MAX_PAGE, description: 'The number of the page.' }),
  per_page: queryInteger
    .pipe(z.int().min(1, 'The per_page field must be at least 1.'))
    .transform((count) => Math.min(count, MAX_PER_PAGE))
    .default(DEFAULT_PER_PAGE)
    .meta({
      minimum: 1,
      description: `Records per page. Anything above ${MAX_PER_PAGE} counts as ${MAX_PER_PAGE}.`,
    }),
});

export type PageQuery = z.output<typeof pageQuery>;

/** A sort of a list: a field's name, `-` before it for descending. */
export type Sort<Field extends string> = Field | `-${Field}`;

/** A cursor as it was sent: only who has made it can read it. What is sent twice is none. */
export const cursorText = z.preprocess((sent) => (typeof sent === 'string' ? sent : ''), z.string());

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

/** Seconds since the epoch; what is finer than a microsecond is cut off. @throws RangeError */
function parseInstant(text: string): number {
  if (!RFC_3339.test(text)) throw new RangeError('Not RFC 3339.');
  return Number(Temporal.Instant.from(text).epochNanoseconds / 1_000n) / 1e6;
}

/** A string in a query, as `parse` reads it; one that it throws on is refused. */
export const parsed = <Value>(parse: (text: string) => Value, message: string) =>
  z.string(message).transform((text, context) => {
    try {
      return parse(text);
    } catch {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
  });

/**
 * `pageQuery` and, for a list that can be sorted by these fields in either direction: `sort`; `cursor`, which goes before
 * `page`; and `updated_since`, in seconds since the epoch.
 */
export function listQuery<Field extends string>(...fields: Field[]) {
  const sorts = fields.flatMap((field): Sort<Field>[] => [field, `-${field}`]);
  return pageQuery.extend({
    sort: z
      .enum(sorts, `The {field} field must be one of ${sorts.join(', ')}.`)
      .optional()
      .describe('A minus means descending.'),
    cursor: cursorText
      .optional()
      .describe(
        'The meta.next_cursor of the previous page, with the same sort and filters. Then page is ignored.',
      ),
    updated_since: parsed(
      parseInstant,
      'The {field} field must be an RFC 3339 instant, for example 2026-01-31T09:00:00Z.',
    )
      .optional()
      .meta({
        format: 'date-time',
        description: 'Only records that were added or changed at this RFC 3339 instant or later.',
      }),
  });
}
