import {
  type Appointment,
  bookableDate,
  positiveId,
  queryId,
  type Slot,
  timeField,
} from '@frontdesk/contracts';
import { invalid } from '@frontdesk/service';
import { z } from 'zod';
import { typedIdUnless } from '../booking/booking-form.rules.ts';
import { seenVersion } from '../forms/form-values.rules.ts';
import { formInto, formText } from '../forms/sent-form.rules.ts';
import { clockTimeIn, dateIn } from '../region/dates.rules.ts';
import { addressOf, unlessEmpty } from '../ui/addresses.rules.ts';

/** Any staff member who is free. */
export const ANYONE = 'any';

const start = { starts_at: formText };
const staff = {
  staff_id: z.union([z.literal(ANYONE), positiveId], 'The {field} field must be an id, or any.').optional(),
};
const typedStaff = (value: unknown) => (value === ANYONE ? ANYONE : typedIdUnless('')(value));

/**
 * A move: `starts_at` is a date and time on the business's clocks, or an instant; without `staff_id`
 * nobody else gets it.
 */
export const moveBody = formInto(
  start,
  z.object({ ...start, ...staff, ...seenVersion }),
  ({ staff_id, ...form }) => ({ ...form, staff_id: typedStaff(staff_id) }),
);

export type MoveBody = z.output<typeof moveBody>;

const CLOCK_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::00)?$/;
const INSTANT = z.iso.datetime({ offset: true });

/** What scheduling takes for it. @throws AppError 422 */
export function movedTo({ starts_at = '', staff_id }: MoveBody, zone: string) {
  const staff = staff_id === undefined ? {} : { staff_id: staff_id === ANYONE ? null : staff_id };
  return { ...startOf(starts_at.trim(), zone), ...staff };
}

function startOf(text: string, zone: string) {
  const [, date, time] = CLOCK_TIME.exec(text) ?? [];
  if (date !== undefined && time !== undefined) return checked(date, time);
  if (!INSTANT.safeParse(text).success)
    throw invalid({
      starts_at: [
        text === ''
          ? 'Choose a date and a time.'
          : { text: 'The starts_at field must be a date and a time.', reason: 'not_date_and_time' },
      ],
    });
  const place = checked(dateIn(zone, text), clockTimeIn(zone, text));
  // What clocks show twice means the first time; and no clock of ours shows seconds.
  const meant = Temporal.PlainDateTime.from(`${place.appointment_date}T${place.appointment_time}`)
    .toZonedDateTime(zone, { disambiguation: 'earlier' })
    .toInstant();
  if (!meant.equals(Temporal.Instant.from(text)))
    throw invalid({
      starts_at: [
        {
          text: 'The starts_at field must be a full minute; where clocks show it twice, the first time.',
          reason: 'time_repeated',
        },
      ],
    });
  return place;
}

function checked(date: string, time: string) {
  if (!bookableDate.safeParse(date).success || !timeField.safeParse(time).success)
    throw invalid({
      starts_at: [
        { text: 'The starts_at field must be a date and a time that exist.', reason: 'not_date_and_time' },
      ],
    });
  return { appointment_date: date, appointment_time: time };
}

/** Whose free times are looked at for a move, and from which date on; with a time, that is filled in. */
export const moveQuery = z.object({
  date: unlessEmpty(bookableDate),
  time: unlessEmpty(timeField),
  staff_id: unlessEmpty(z.union([z.literal(ANYONE), queryId])),
});

export type MoveQuery = z.output<typeof moveQuery>;

/**
 * Whether the slot is where the appointment already is, so that it would move nothing. `staff`: who would get it there.
 */
export const isWhereItIs = (
  { starts_at, staff_id }: Pick<Appointment, 'starts_at' | 'staff_id'>,
  slot: Pick<Slot, 'starts_at'>,
  staff: number | typeof ANYONE,
): boolean =>
  Date.parse(slot.starts_at) === Date.parse(starts_at) && (staff === ANYONE || staff === staff_id);

const instant = INSTANT.optional().catch(undefined);
const whose = queryId.optional().catch(undefined);

/** From where and to where the move went that has led to an appointment's page; empty without one. */
export const moveMadeQuery = z.object({ was: instant, was_staff: whose, to: instant, to_staff: whose });

export type MoveMade = z.output<typeof moveMadeQuery>;

type Place = Pick<Appointment, 'starts_at' | 'staff_id'>;

/** The page after a move, which offers the way back. */
export function movedAddress(page: string, before: Place, after: Place): string {
  return addressOf(page, {
    done: 'appointment-moved',
    was: before.starts_at,
    was_staff: before.staff_id ?? undefined,
    to: after.starts_at,
    to_staff: after.staff_id ?? undefined,
  });
}

const isAt = ({ starts_at, staff_id }: Place, start: string | undefined, staff: number | undefined) =>
  start !== undefined && Date.parse(start) === Date.parse(starts_at) && (staff ?? null) === staff_id;

/** Whether the move can be undone: it moved something, and nobody has moved that on since. */
export const canMoveBack = ({ was, was_staff, to, to_staff }: MoveMade, now: Place): boolean =>
  isAt(now, to, to_staff) && !isAt(now, was, was_staff);
