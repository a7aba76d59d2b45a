import { STAFF_COLORS, WEEKDAYS } from '@frontdesk/contracts';
import fc from 'fast-check';
import { hhmm } from '../wall-clock.ts';

/** Spans of one day: an even number of distinct minutes, two by two; some touch. */
const daySpans = fc
  .uniqueArray(fc.integer({ min: 0, max: 1_440 }), { maxLength: 6 })
  .chain((minutes) => fc.tuple(fc.constant(minutes.toSorted((a, b) => a - b)), fc.boolean()))
  .map(([minutes, touching]) => {
    const step = touching ? 1 : 2;
    return minutes
      .map((start, index) => ({ start, end: minutes[index + 1] }))
      .filter((span, index) => span.end !== undefined && index % step === 0)
      .map(({ start, end }) => ({ start: hhmm(start), end: hhmm(end as number) }));
  });

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .filter((value) => value.trim() !== '' && !value.includes('\0'));
const note = fc.option(text);
const date = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-30'), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10));
const moment = fc
  .tuple(date, fc.integer({ min: 0, max: 1_439 }))
  .map(([day, minute]) => `${day}T${hhmm(minute)}`);

const calendar = {
  hours: fc.dictionary(fc.constantFrom(...WEEKDAYS), daySpans),
  exceptions: fc.uniqueArray(fc.record({ date, hours: daySpans, note }), {
    selector: (exception) => exception.date,
    maxLength: 4,
  }),
  time_off: fc.array(
    fc
      .record({ start: moment, end: moment, note })
      .filter(({ start, end }) => start !== end)
      .map(({ start, end, note: reason }) =>
        start < end ? { start, end, note: reason } : { start: end, end: start, note: reason },
      ),
    { maxLength: 4 },
  ),
};

const services = fc.uniqueArray(
  fc.record({
    name: text,
    description: fc.option(text),
    duration_minutes: fc.integer({ min: 1, max: 1_440 }),
    price: fc.integer({ min: 0, max: 100_000_000 }).map((minor) => minor / 100),
    buffer_before_minutes: fc.integer({ min: 0, max: 1_440 }),
    buffer_after_minutes: fc.integer({ min: 0, max: 1_440 }),
    is_active: fc.boolean(),
    category: fc.option(text),
  }),
  { selector: ({ name }) => name, maxLength: 5 },
);

/** Any business, in a document. */
export const documents = services.chain((offered) =>
  fc.record(
    {
      settings: fc.record(
        {
          booking_policy: fc.constantFrom('open', 'slots_only'),
          slot_step_minutes: fc.integer({ min: 1, max: 1_440 }),
          minimum_notice_minutes: fc.integer({ min: 0, max: 525_600 }),
          horizon_days: fc.option(fc.integer({ min: 1, max: 3_650 })),
        },
        { requiredKeys: [] },
      ),
      ...calendar,
      services: fc.constant(offered),
      staff: fc.uniqueArray(
        fc
          .record(
            {
              name: text,
              specialties: fc.array(text, { maxLength: 3 }),
              services: fc.shuffledSubarray(offered.map(({ name }) => name)),
              is_active: fc.boolean(),
              color: fc.option(fc.constantFrom(...STAFF_COLORS)),
              follows_business_hours: fc.boolean(),
              ...calendar,
            },
            { requiredKeys: ['name', 'services'] },
          )
          .map(({ hours, ...member }) => ({
            ...member,
            ...(hours && !member.follows_business_hours && { hours }),
          })),
        { selector: ({ name }) => name, maxLength: 5 },
      ),
    },
    { requiredKeys: ['services'] },
  ),
);
