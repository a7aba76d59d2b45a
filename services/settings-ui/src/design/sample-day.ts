import {
  APPOINTMENT_STATUSES,
  type Day,
  type DayAppointment,
  type DayColumn,
  STAFF_COLORS,
} from '@frontdesk/contracts';
import { capitalised } from '../region/words.rules.ts';

const DATE = '2031-06-02';
const ZONE = 'UTC';

const at = (hour: number, minute = 0) => Temporal.PlainDateTime.from(DATE).with({ hour, minute });
const instant = (time: Temporal.PlainDateTime) => time.toZonedDateTime(ZONE).toInstant().toString();

/** One of each status, the first with a note, and a short one. */
const KINDS = [
  ...APPOINTMENT_STATUSES.map((status) => ({ status, minutes: 60 })),
  { status: 'scheduled' as const, minutes: 15 },
];

const appointmentsOf = (staff_id: number, staff_name: string): DayAppointment[] =>
  KINDS.map(({ status, minutes }, index) => {
    const start = at(9 + index);
    const end = start.add({ minutes });
    const booked = instant(at(8));
    return {
      id: staff_id * KINDS.length + index,
      customer_id: 1,
      service_id: 1,
      service_name: 'Cut and colour with a treatment',
      staff_id,
      staff_name,
      appointment_date: DATE,
      appointment_time: start.toPlainTime().toString({ smallestUnit: 'minute' }),
      end_time: end.toPlainTime().toString({ smallestUnit: 'minute' }),
      duration_minutes: minutes,
      buffer_before_minutes: 0,
      buffer_after_minutes: index === 0 ? 10 : 0,
      timezone: ZONE,
      starts_at: instant(start),
      ends_at: instant(end),
      status,
      notes: null,
      notes_excerpt: index === 0 ? 'Prefers the window seat' : null,
      source: 'api',
      price: 45,
      currency: 'EUR',
      created_at: booked,
      updated_at: booked,
      cancelled_at: status === 'cancelled' ? booked : null,
      version: 1,
    };
  });

/** A day with a column in each colour, each with a hold. */
export const SAMPLE_DAY: Day = {
  date: DATE,
  timezone: ZONE,
  starts_at: instant(at(0)),
  ends_at: instant(at(0).add({ days: 1 })),
  slot_step_minutes: 15,
  columns: STAFF_COLORS.map((color, index): DayColumn => {
    const name = `${capitalised(color)} ${['Berg', 'Kaya'][index % 2]}`;
    return {
      staff_id: index + 1,
      name,
      color,
      picture_version: null,
      is_active: true,
      open: [{ starts_at: instant(at(9)), ends_at: instant(at(15)) }],
      time_off: [{ starts_at: instant(at(14, 30)), ends_at: instant(at(15)), note: 'Course' }],
      exception: null,
      appointments: appointmentsOf(index + 1, name),
      holds: [
        {
          id: index + 1,
          service_name: 'Cut and colour with a treatment',
          starts_at: instant(at(14)),
          ends_at: instant(at(14, 30)),
          buffer_before_minutes: 0,
          buffer_after_minutes: 0,
          expires_at: instant(at(8, 2)),
        },
      ],
    };
  }),
};
