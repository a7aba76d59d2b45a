import { z } from 'zod';
import { instantOut } from '../fields/fields.ts';

/** Events of one partition that Kafka deleted before a consumer had applied them, as operators see it. */
export const eventGap = z.object({
  id: z.int(),
  /** The group that missed them. */
  consumer: z.string(),
  topic: z.string(),
  partition: z.int(),
  /** The first offset that is missing; null where that is unknown. */
  from_offset: z.int().nullable(),
  /** Where the consumer went on. */
  to_offset: z.int(),
  /** How many are missing; null where that is unknown. */
  missing: z.int().nullable(),
  /** When the missing events occurred: between these two. `since` is null where it is unknown. */
  since: instantOut.nullable(),
  until: instantOut,
  found_at: instantOut,
  /** Whether the consumer has made good for them, by filling its projection again. */
  is_refilled: z.boolean(),
});

/** A time of which a business may not have been sent everything that happened to records of this kind. */
export const deliveryGap = z.object({
  records: z.enum(['customers', 'appointments', 'calls']),
  /** Null where its beginning is unknown. */
  since: instantOut.nullable(),
  until: instantOut,
});

export type DeliveryGap = z.output<typeof deliveryGap>;
