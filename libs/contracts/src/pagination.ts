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
    .default(1),
  per_page: queryInteger
    .pipe(z.int().min(1, 'The per_page field must be at least 1.'))
    .transform((count) => Math.min(count, MAX_PER_PAGE))
    .default(DEFAULT_PER_PAGE),
});

export type PageQuery = z.output<typeof pageQuery>;
