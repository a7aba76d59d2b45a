import { z } from 'zod';
import { queryInteger } from '../fields/fields.ts';

/** An event that Kafka refused for good (`parked-…`), or a message that a consumer can't take in (`letter-…`). */
export const stuckEventId = z.object({
  id: z
    .string()
    .regex(/^(parked|letter)-[1-9]\d{0,14}$/)
    .transform((text) => {
      const [kind, id] = text.split('-');
      return { kind: kind as 'parked' | 'letter', id: Number(id) };
    }),
});

export type StuckEventId = z.output<typeof stuckEventId>['id'];

/** What operators may see of it without asking for more: nothing of what the event says. */
export const stuckEvent = z.object({
  id: z.string(),
  topic: z.string(),
  /** As far as the message could be made out. */
  type: z.string().nullable(),
  tenant_id: z.int().nullable(),
  /** The group that can't take it in; null for what could not be published. */
  consumer: z.string().nullable(),
  since: z.string(),
  reason: z.string(),
});

export type StuckEvent = z.infer<typeof stuckEvent>;

/** The whole of it, with what it says of people. */
export const stuckEventWithBody = stuckEvent.extend({
  encoding: z.enum(['utf8', 'base64']),
  body: z.string(),
});

export type StuckEventWithBody = z.infer<typeof stuckEventWithBody>;

/** Where the next part of a long retry begins. */
export const retryStuckEventsQuery = z.object({ after: queryInteger.default(0) });

/** What came of a part of it. `next_after` null: that was all. */
export const retriedStuckEvents = z.object({
  retried: z.int(),
  still_stuck: z.int(),
  next_after: z.int().nullable(),
});

export type RetriedStuckEvents = z.infer<typeof retriedStuckEvents>;

/** What came of one, which is gone from the list: `id` as it was there. */
export const retriedStuckEvent = z.object({ id: z.string(), retried: z.literal(true) });
export const discardedStuckEvent = z.object({ id: z.string(), deleted: z.literal(true) });
