import { z } from 'zod';
import { growingValues } from '../fields/fields.ts';
import { ERROR_STATUS, type ErrorCode } from './error-codes.ts';

const pageMeta = z.object({
  page: z.int(),
  per_page: z.int(),
  total: z.int(),
  /** Only where the total is not exact: of what is common in a very long list. */
  total_is_estimate: z.literal(true).optional(),
  /** Only where the list can be walked by cursor and goes on after this page. */
  next_cursor: z.string().optional(),
});

export type PageMeta = z.infer<typeof pageMeta>;

/** The success envelope of one record. */
export const dataOf = <Schema extends z.ZodType>(schema: Schema) =>
  z.object({ success: z.literal(true), data: schema });

/** The `data` of what removes a record. */
export const removedRecord = z.object({ id: z.int(), deleted: z.literal(true) });

export type RemovedRecord = z.infer<typeof removedRecord>;

/** The success envelope of a paginated list. */
export const pageOf = <Schema extends z.ZodType>(schema: Schema) =>
  z.object({ success: z.literal(true), data: z.array(schema), meta: pageMeta });

/** The one failure envelope; `data` only where a code documents it (the alternatives to a time that is taken or not offered). */
export const failureSchema = z.object({
  success: z.literal(false),
  code: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]).register(growingValues, {}),
  message: z.string(),
  request_id: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  data: z.unknown().optional(),
});

export type Failure = z.infer<typeof failureSchema>;
