import { type CreateReplay, type FieldErrors, REPLAY_KINDS, timeZoneField } from '@frontdesk/contracts';
import { z } from 'zod';

/** A form has a text for a box that is checked, and nothing for one that is not. */
const checkbox = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);
const time = z.string().trim().optional();

/** What is to be sent: everything that failed, what came in within a window of time, or during a pause. */
export const replayForm = z.object({
  kind: z
    .enum(REPLAY_KINDS, `The {field} field must be one of ${REPLAY_KINDS.join(', ')}.`)
    .default('window'),
  /** On the clocks of `timezone`, as a form's fields have them; or RFC 3339. */
  from: time,
  to: time,
  /** On which the page showed its times: what was meant, whatever the business's zone is by now. */
  timezone: timeZoneField.default('UTC'),
  include_delivered: checkbox.default(false),
});

const WALL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/;
const MESSAGE = 'Enter a date and a time.';

/**
 * Of a wall time that comes twice, `disambiguation` says which is meant; one that a clock change skips lies behind it.
 */
function instantOf(text: string, zone: string, disambiguation: 'compatible' | 'later'): Date | null {
  try {
    const instant = WALL_TIME.test(text)
      ? Temporal.PlainDateTime.from(text).toZonedDateTime(zone, { disambiguation }).toInstant()
      : Temporal.Instant.from(text);
    return new Date(instant.epochMilliseconds);
  } catch {
    return null;
  }
}

/** Both passes of an hour that comes twice are within a window that begins or ends in it. */
export function windowOf(
  form: z.output<typeof replayForm>,
): { replay: CreateReplay; errors: null } | { replay: null; errors: FieldErrors } {
  const { kind, timezone, include_delivered } = form;
  if (kind !== 'window')
    return { replay: { kind, from: null, to: null, include_delivered: false }, errors: null };
  const from = instantOf(form.from ?? '', timezone, 'compatible');
  const to = instantOf(form.to ?? '', timezone, 'later');
  if (from && to && from < to) return { replay: { kind, from, to, include_delivered }, errors: null };
  const errors: FieldErrors = {
    ...(from ? {} : { from: [MESSAGE] }),
    ...(to ? {} : { to: [MESSAGE] }),
    ...(from && to ? { to: ['The end must be after the start.'] } : {}),
  };
  return { replay: null, errors };
}

export const MISSED_REPLAY: CreateReplay = { kind: 'missed', from: null, to: null, include_delivered: false };

const KIND_WORDS = { failed: 'failed deliveries', missed: 'events of the last pause' };

/** What the audit log calls a replay. */
export const replaySubject = (url: string, { kind, from, to }: CreateReplay): string =>
  `${url}: ${kind === 'window' ? `${from?.toISOString()} – ${to?.toISOString()}` : KIND_WORDS[kind]}`;
