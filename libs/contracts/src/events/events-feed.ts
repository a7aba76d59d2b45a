import { z } from 'zod';
import { instantOut, queryInteger } from '../fields/fields.ts';
import { withNearest } from '../fields/near-name.ts';
import { cursorText, MAX_PER_PAGE } from '../fields/pagination.ts';
import { MAX_FEED_WAIT_SECONDS } from '../limits/api-limits.ts';
import { testMark } from '../resources/calls/calls.ts';
import { type CanonicalWebhookEvent, WEBHOOK_EVENT_NAMES, WEBHOOK_EVENTS } from '../resources/webhooks.ts';
import { CANONICAL_EVENTS } from './webhook-events.ts';

/** In place of a cursor: only what comes from now on. */
export const LATEST = 'latest';

const NAMES = CANONICAL_EVENTS.join(', ');

const ANY_NAME = `(?:${WEBHOOK_EVENT_NAMES.map((name) => name.replace('.', '\\.')).join('|')})`;
const NAMES_ONLY = `The {field} field must hold only these names, separated by commas: ${WEBHOOK_EVENT_NAMES.join(', ')}.`;

const isName = (name: string): name is keyof typeof WEBHOOK_EVENTS => Object.hasOwn(WEBHOOK_EVENTS, name);

/** The events that names stand for, each once: an event has one name here, whichever it is asked for by. */
const eventNames = z
  .string(NAMES_ONLY)
  .transform((text, context): CanonicalWebhookEvent[] => {
    const names = text.split(',');
    const wrong = names.find((name) => !isName(name));
    if (wrong === undefined) return [...new Set(names.filter(isName).map((name) => WEBHOOK_EVENTS[name]))];
    context.addIssue({ code: 'custom', message: withNearest(NAMES_ONLY, wrong, WEBHOOK_EVENT_NAMES) });
    return z.NEVER;
  })
  .meta({ pattern: `^${ANY_NAME}(?:,${ANY_NAME})*$` });

export const listEventsQuery = z.object({
  after: cursorText
    .optional()
    .describe(
      `The cursor of an event, or the meta.next_cursor of an earlier answer. Without it the feed begins with the oldest event that is kept; ${LATEST} skips all there are.`,
    ),
  types: eventNames
    .optional()
    .describe(
      'Only events of these names, separated by commas. The other names that an endpoint may subscribe to mean the same events; data has each under its own name.',
    ),
  wait: queryInteger
    .pipe(
      z
        .int()
        .min(0, 'The wait field must be at least 0.')
        .max(MAX_FEED_WAIT_SECONDS, `The wait field must be at most ${MAX_FEED_WAIT_SECONDS}.`),
    )
    .default(0)
    .meta({
      minimum: 0,
      maximum: MAX_FEED_WAIT_SECONDS,
      description:
        'Seconds to wait for an event where there is none yet. Another request with the same key and types ends the wait.',
    }),
  limit: queryInteger
    .pipe(z.int().min(1, 'The limit field must be at least 1.'))
    .transform((count) => Math.min(count, MAX_PER_PAGE))
    .default(MAX_PER_PAGE)
    .meta({
      minimum: 1,
      description: `Events in one answer. Anything above ${MAX_PER_PAGE} counts as ${MAX_PER_PAGE}.`,
    }),
});

export type ListEventsQuery = z.output<typeof listEventsQuery>;

/** An event of the feed: as a webhook sends it, under its own name, and where the feed goes on after it. */
export const feedEventSchema = z.object({
  id: z.string().describe('The event’s own id: the same as in every webhook of it.'),
  event: z.string().describe(`One of ${NAMES}.`),
  created_at: instantOut.describe('When it happened.'),
  sequence: z.int().describe('The record’s version: it grows with every change of that one record.'),
  test: testMark,
  data: z.looseObject({}).describe('The record, as in a webhook of the event.'),
  cursor: z.string().describe('Send it as after, to go on behind this event.'),
});

export type FeedEvent = z.infer<typeof feedEventSchema>;

export const feedPage = z.object({
  success: z.literal(true),
  data: z.array(feedEventSchema),
  meta: z.object({
    next_cursor: z.string().describe('Send it as after in the next request, also where data is empty.'),
    has_more: z
      .boolean()
      .describe(
        'Ask again at once: there is more to look at. With types, data may be empty here: a request looks through a bounded number of events.',
      ),
  }),
});
