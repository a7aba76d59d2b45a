import { MINUTE_MS } from '@frontdesk/local-time';
import fc from 'fast-check';
import type { Calendar, Span } from '../working-hours/calendar.rules.ts';
import { type Interval, joined } from '../working-hours/interval.rules.ts';
import { type AvailabilityQuestion, freeStarts, onShift, type Resource } from './availability.rules.ts';

/** Zones and dates around their clock changes: forward, backward, half an hour, at midnight, a whole day left out. */
const PLACES = [
  ['Europe/Berlin', '2026-03-28'],
  ['Europe/Berlin', '2026-10-24'],
  ['America/New_York', '2026-03-07'],
  ['America/New_York', '2026-10-31'],
  ['Australia/Lord_Howe', '2026-04-04'],
  ['Australia/Lord_Howe', '2026-10-03'],
  ['Pacific/Apia', '2011-12-29'],
  ['Africa/Cairo', '2026-04-23'],
  ['Africa/Cairo', '2026-10-29'],
  ['America/St_Johns', '2010-11-06'],
  ['America/Sao_Paulo', '2017-10-14'],
  ['Antarctica/Troll', '2026-03-28'],
  ['Africa/Casablanca', '2026-02-14'],
  ['Africa/Casablanca', '2026-03-21'],
  ['Pacific/Chatham', '2026-04-04'],
  ['Pacific/Chatham', '2026-09-26'],
  ['Asia/Kolkata', '2026-06-10'],
  ['Asia/Kathmandu', '2026-06-10'],
  ['UTC', '2026-06-10'],
] as const;

const plusDays = (date: string, days: number) => Temporal.PlainDate.from(date).add({ days }).toString();
const hhmm = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

const allDay: Span[] = [{ startMinute: 0, endMinute: 1_440 }];

/** What the clock on the wall shows, minute by minute, over the days in question. */
function clock(timezone: string, from: string, days: number) {
  const start = Temporal.PlainDate.from(from).toZonedDateTime('UTC').epochMilliseconds - 1_440 * MINUTE_MS;
  return Array.from({ length: (days + 2) * 1_440 }, (_, index) => {
    const instant = start + index * MINUTE_MS;
    const wall = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone);
    return { instant, wall: wall.toPlainDateTime().toString().slice(0, 16) };
  });
}

/** The slow model: tries every minute of a visit against every span, exception, absence and appointment. */
function model(question: AvailabilityQuestion, days: number) {
  const { timezone, from, to } = question;
  const minutes = clock(timezone, from, days + 3);
  const firstShowing = new Map<string, number>();
  for (const { instant, wall } of minutes) if (!firstShowing.has(wall)) firstShowing.set(wall, instant);
  const reached = (wall: string) =>
    (minutes.find((minute) => minute.wall >= wall) as { instant: number }).instant;

  const instantsOf = (date: string, span: Span): Interval => ({
    start: reached(`${date}T${hhmm(span.startMinute)}`),
    end: reached(span.endMinute === 1_440 ? `${plusDays(date, 1)}T00:00` : `${date}T${hhmm(span.endMinute)}`),
  });
  const isIn = (intervals: readonly Interval[], instant: number) =>
    intervals.some(({ start, end }) => start <= instant && instant < end);

  const worksAt = (calendar: Calendar) => {
    const dates = Array.from({ length: days + 3 }, (_, day) => {
      const date = plusDays(from, day);
      const own = calendar.exceptions.get(date);
      const weekly = calendar.weekly.get(Temporal.PlainDate.from(date).dayOfWeek) ?? [];
      const limits = own === undefined ? (calendar.limits.get(date) ?? allDay) : allDay;
      const instants = (spans: readonly Span[]) => spans.map((span) => instantsOf(date, span));
      return { spans: instants(own ?? weekly), limits: instants(limits) };
    });
    return (instant: number) =>
      dates.some(({ spans, limits }) => isIn(spans, instant) && isIn(limits, instant)) &&
      !isIn(calendar.timeOff, instant);
  };

  const fits = (resource: Resource, works: (instant: number) => boolean, startsAt: number) => {
    const { durationMinutes, bufferBeforeMinutes, bufferAfterMinutes } = resource.visit;
    for (let minute = 0; minute < durationMinutes; minute += 1)
      if (!works(startsAt + minute * MINUTE_MS)) return false;
    const occupiedFrom = startsAt - bufferBeforeMinutes * MINUTE_MS;
    const occupiedUntil = startsAt + (durationMinutes + bufferAfterMinutes) * MINUTE_MS;
    return !resource.busy.some(({ start, end }) => start < occupiedUntil && occupiedFrom < end);
  };

  const works = question.resources.map((resource) => worksAt(resource.calendar));
  const out = [];
  for (let date = from; date <= to; date = plusDays(date, 1)) {
    for (let minute = 0; minute < 1_440; minute += question.stepMinutes) {
      const startsAt = firstShowing.get(`${date}T${hhmm(minute)}`);
      if (startsAt === undefined || startsAt < question.earliest || startsAt > question.latest) continue;
      const resourceIds = question.resources
        .filter((resource, index) => fits(resource, works[index] as (instant: number) => boolean, startsAt))
        .map(({ id }) => id);
      if (resourceIds.length > 0) out.push({ date, minute, startsAt, resourceIds });
    }
  }
  return out;
}

const spansOfDay: fc.Arbitrary<Span[]> = fc
  .uniqueArray(fc.integer({ min: 0, max: 96 }), { minLength: 0, maxLength: 6 })
  .map((edges) => {
    const sorted = edges.sort((a, b) => a - b).map((quarter) => quarter * 15);
    const spans: Span[] = [];
    for (let index = 0; index + 1 < sorted.length; index += 2)
      spans.push({ startMinute: sorted[index] as number, endMinute: sorted[index + 1] as number });
    return spans;
  });

/** On the grid, where visits fit exactly between intervals. */
const quarters = (min: number, max: number) => fc.integer({ min, max }).map((count) => count * 15);

const intervalsFrom = (date: string) =>
  fc
    .tuple(
      fc.array(fc.tuple(fc.integer({ min: -600, max: 4_500 }), fc.integer({ min: 1, max: 200 })), {
        maxLength: 6,
      }),
      fc.array(fc.tuple(quarters(-40, 300), quarters(1, 8)), { maxLength: 6 }),
    )
    .map((lists) => {
      const zero = Temporal.PlainDate.from(date).toZonedDateTime('UTC').epochMilliseconds;
      return lists
        .flat()
        .map(([offset, length]) => ({
          start: zero + offset * MINUTE_MS,
          end: zero + (offset + length) * MINUTE_MS,
        }))
        .sort((a, b) => a.start - b.start);
    });

const resourceFrom = (date: string, id: number): fc.Arbitrary<Resource> =>
  fc.record({
    id: fc.constant(id),
    visit: fc.record({
      durationMinutes: fc.oneof(fc.integer({ min: 1, max: 180 }), quarters(1, 6), fc.constant(1_440)),
      bufferBeforeMinutes: fc.constantFrom(0, 0, 5, 30),
      bufferAfterMinutes: fc.constantFrom(0, 0, 10, 45),
    }),
    calendar: fc.record({
      weekly: fc
        .array(fc.oneof(spansOfDay, fc.constant(allDay)), { minLength: 7, maxLength: 7 })
        .map((week) => new Map(week.map((spans, index) => [index + 1, spans]))),
      exceptions: fc
        .option(spansOfDay, { nil: null, freq: 2 })
        .map((spans) => new Map(spans === null ? [] : [[plusDays(date, 1), spans]])),
      limits: fc
        .option(spansOfDay, { nil: null, freq: 2 })
        .map((spans) => new Map(spans === null ? [] : [[date, spans]])),
      timeOff: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, intervalsFrom(date).map(joined)),
    }),
    busy: intervalsFrom(date),
  });

const DAYS = 3;

const startsOf = (question: AvailabilityQuestion) =>
  [...freeStarts(question)].filter((start) => start !== null);

const questions: fc.Arbitrary<AvailabilityQuestion> = fc.constantFrom(...PLACES).chain(([timezone, date]) => {
  const zero = Temporal.PlainDate.from(date).toZonedDateTime('UTC').epochMilliseconds;
  return fc.record({
    timezone: fc.constant(timezone),
    from: fc.constant(date),
    to: fc.constant(plusDays(date, DAYS - 1)),
    stepMinutes: fc.constantFrom(5, 15, 20, 30, 60),
    earliest: fc.oneof(
      fc.constant(0),
      fc.integer({ min: 0, max: 3_000 }).map((m) => zero + m * MINUTE_MS),
    ),
    latest: fc.oneof(
      fc.constant(Number.POSITIVE_INFINITY),
      fc.integer({ min: 0, max: 3_000 }).map((m) => zero + m * MINUTE_MS),
    ),
    resources: fc
      .integer({ min: 0, max: 3 })
      .chain((count) => fc.tuple(...Array.from({ length: count }, (_, id) => resourceFrom(date, id)))),
  });
});

describe('free starts', () => {
  it('are those that the slow model finds, around every kind of clock change', () => {
    fc.assert(
      fc.property(questions, (question) => {
        expect(startsOf(question)).toEqual(model(question, DAYS));
      }),
      { numRuns: 150 },
    );
  });

  it('come in the order of time, each once', () => {
    fc.assert(
      fc.property(questions, (question) => {
        const instants = startsOf(question).map(({ startsAt }) => startsAt);
        expect(instants).toEqual([...new Set(instants)].sort((a, b) => a - b));
      }),
    );
  });

  it('lie within the shift of everyone they name', () => {
    fc.assert(
      fc.property(questions, (question) => {
        for (const { startsAt, resourceIds } of startsOf(question).slice(0, 20))
          expect(onShift(question.resources, startsAt, question.timezone)).toEqual(
            expect.arrayContaining(resourceIds),
          );
      }),
    );
  });
});
