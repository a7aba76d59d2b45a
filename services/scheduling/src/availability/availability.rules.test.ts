import { instantOfWallTime } from '@frontdesk/local-time';
import { NO_HOURS, type Span } from '../working-hours/calendar.rules.ts';
import type { Interval } from '../working-hours/interval.rules.ts';
import { type AvailabilityQuestion, freeStarts, onShift, type Resource } from './availability.rules.ts';

const NEVER = Number.POSITIVE_INFINITY;

const nineToFive = new Map(
  [1, 2, 3, 4, 5].map((weekday) => [weekday, [{ startMinute: 540, endMinute: 1_020 }]]),
);

const allDayEveryDay = new Map(
  [1, 2, 3, 4, 5, 6, 7].map((weekday) => [weekday, [{ startMinute: 0, endMinute: 1_440 }]]),
);

function resource(changes: Partial<Resource> = {}, weekly = nineToFive): Resource {
  return {
    id: 7,
    visit: { durationMinutes: 60, bufferBeforeMinutes: 0, bufferAfterMinutes: 0 },
    calendar: { weekly, exceptions: new Map(), limits: new Map(), timeOff: [] },
    busy: [],
    ...changes,
  };
}

const question = (date: string, timezone: string, resources: Resource[], stepMinutes = 30) => ({
  timezone,
  from: date,
  to: date,
  stepMinutes,
  earliest: 0,
  latest: NEVER,
  resources,
});

const startsOf = (asked: AvailabilityQuestion) => [...freeStarts(asked)].filter((start) => start !== null);

const timesOf = (asked: ReturnType<typeof question>) =>
  startsOf(asked).map(({ minute }) => `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`);

const at = (date: string, time: string, timezone = 'Europe/Berlin') =>
  instantOfWallTime(date, time, timezone) as number;

describe('free starts', () => {
  it('end so that the visit ends with the hours of work', () => {
    const times = timesOf(question('2026-06-01', 'Europe/Berlin', [resource()]));
    expect([times[0], times.at(-1), times.length]).toEqual(['9:00', '16:00', 15]);
  });

  it('are none on a day off, and none without anybody', () => {
    expect(timesOf(question('2026-06-07', 'Europe/Berlin', [resource()]))).toEqual([]);
    expect(timesOf(question('2026-06-01', 'Europe/Berlin', []))).toEqual([]);
  });

  it('leave out the hour that spring skips', () => {
    const times = timesOf(question('2026-03-29', 'Europe/Berlin', [resource({}, allDayEveryDay)]));
    expect(times).toContain('1:30');
    expect(times).toContain('3:00');
    expect(times.filter((time) => time.startsWith('2:'))).toEqual([]);
  });

  it('offer an hour that autumn repeats once, on its first pass', () => {
    const starts = startsOf(question('2026-10-25', 'Europe/Berlin', [resource({}, allDayEveryDay)], 60));
    expect(starts).toHaveLength(24);
    expect(new Date(starts[2]?.startsAt as number).toISOString()).toBe('2026-10-25T00:00:00.000Z');
    expect(new Date(starts[3]?.startsAt as number).toISOString()).toBe('2026-10-25T02:00:00.000Z');
  });

  it('are none on a day that a zone left out', () => {
    const open = resource({}, allDayEveryDay);
    expect(timesOf(question('2011-12-30', 'Pacific/Apia', [open]))).toEqual([]);
    expect(timesOf(question('2011-12-29', 'Pacific/Apia', [open])).at(-1)).toBe('23:30');
  });

  it('let a visit run past midnight where the next day goes on from there', () => {
    expect(timesOf(question('2026-06-01', 'UTC', [resource({}, allDayEveryDay)])).at(-1)).toBe('23:30');
  });

  it('keep clear of an appointment and of the buffers around it, on both sides', () => {
    const visit = { durationMinutes: 60, bufferBeforeMinutes: 15, bufferAfterMinutes: 15 };
    const busy = [{ start: at('2026-06-01', '12:00'), end: at('2026-06-01', '13:00') }];
    const times = timesOf(question('2026-06-01', 'Europe/Berlin', [resource({ visit, busy })], 15));
    expect(times).toContain('10:45');
    expect(times).not.toContain('11:00');
    expect(times).not.toContain('13:00');
    expect(times).toContain('13:15');
  });

  it('fit exactly between two appointments, back to back with both', () => {
    const busy = [
      { start: at('2026-06-01', '09:00'), end: at('2026-06-01', '10:00') },
      { start: at('2026-06-01', '11:00'), end: at('2026-06-01', '17:00') },
    ];
    expect(timesOf(question('2026-06-01', 'Europe/Berlin', [resource({ busy })]))).toEqual(['10:00']);
  });

  it('take a dated exception in place of the weekday, and leave out time off', () => {
    const calendar = {
      weekly: nineToFive,
      exceptions: new Map([['2026-06-01', [{ startMinute: 600, endMinute: 780 }]]]),
      limits: new Map([['2026-06-01', []]]),
      timeOff: [{ start: at('2026-06-01', '11:00'), end: at('2026-06-01', '11:30') }],
    };
    expect(timesOf(question('2026-06-01', 'Europe/Berlin', [resource({ calendar })]))).toEqual([
      '10:00',
      '11:30',
      '12:00',
    ]);
  });

  it('are not cut in two by an absence that a clock change leaves nothing of', () => {
    const instant = at('2026-06-01', '12:00');
    const timeOff = [{ start: instant, end: instant }];
    const calendar = { ...NO_HOURS, weekly: nineToFive, timeOff };
    expect(timesOf(question('2026-06-01', 'Europe/Berlin', [resource({ calendar })]))).toHaveLength(15);
  });

  it('keep to the shorter hours of the whole business on a date', () => {
    const on = (limits: [string, Span[]][], weekly = nineToFive) =>
      timesOf(
        question('2026-06-01', 'Europe/Berlin', [
          resource({ calendar: { ...NO_HOURS, weekly, limits: new Map(limits) } }),
        ]),
      );
    expect(on([['2026-06-01', [{ startMinute: 480, endMinute: 630 }]]])).toEqual(['9:00', '9:30']);
    expect(on([['2026-06-01', []]])).toEqual([]);
    expect(on([['2026-06-02', []]])).toHaveLength(15);
    // A day off stays one, whatever the business does.
    expect(on([['2026-06-01', [{ startMinute: 480, endMinute: 630 }]]], new Map())).toEqual([]);
  });

  it('are not before the minimum notice nor beyond the horizon', () => {
    const asked = {
      ...question('2026-06-01', 'Europe/Berlin', [resource()]),
      earliest: at('2026-06-01', '10:00'),
      latest: at('2026-06-01', '11:00'),
    };
    expect(timesOf(asked)).toEqual(['10:00', '10:30', '11:00']);
  });

  it('name all who are free, in the order of the question', () => {
    const busy = [{ start: at('2026-06-01', '09:00'), end: at('2026-06-01', '10:00') }];
    const starts = startsOf(
      question('2026-06-01', 'Europe/Berlin', [resource({ id: 1, busy }), resource({ id: 2 })], 60),
    );
    expect(starts[0]?.resourceIds).toEqual([2]);
    expect(starts[1]?.resourceIds).toEqual([1, 2]);
  });
});

describe('working out free starts', () => {
  it('can be left off after each resource of a day, where nobody is free, too', () => {
    const sunday = question(
      '2026-06-07',
      'UTC',
      [1, 2, 3].map((id) => resource({ id })),
    );
    expect([...freeStarts(sunday)]).toEqual([null, null, null]);
  });

  it('looks no further than the horizon', () => {
    const asked = { ...question('2026-06-01', 'UTC', [resource()]), to: '2999-12-31' };
    const latest = at('2026-06-01', '23:00', 'UTC');
    expect([...freeStarts({ ...asked, latest })].filter((start) => start === null)).toHaveLength(1);
  });

  it('walks once along time off and visits, however many days it looks at', () => {
    let reads = 0;
    const counted = (intervals: Interval[]) =>
      new Proxy(intervals, {
        get(target, key) {
          reads += 1;
          return Reflect.get(target, key);
        },
      });
    const monday = at('2026-06-01', '09:00', 'UTC');
    const daily = (hour: number) =>
      Array.from({ length: 365 }, (_, day) => {
        const start = monday + day * 86_400_000 + hour * 3_600_000;
        return { start, end: start + 3_600_000 };
      });
    const timeOff = counted(daily(1));
    const busy = counted(daily(2));
    const open = resource({ busy, calendar: { ...NO_HOURS, weekly: nineToFive, timeOff } });
    const year = { ...question('2026-06-01', 'UTC', [open], 60), to: '2027-05-31' };
    expect(startsOf(year)).toHaveLength(261 * 6);
    // Some reads for each of 365 days and 730 intervals: each day against all of them would be 266,450.
    expect(reads).toBeLessThan(20_000);
  });

  it('reads no hours of a day for a visit that no stretch can hold, but where clocks change', () => {
    const visit = { durationMinutes: 481, bufferBeforeMinutes: 0, bufferAfterMinutes: 0 };
    const asked = new Set<number>();
    const weekly = new Map(nineToFive);
    weekly.get = (weekday) => {
      asked.add(weekday);
      return nineToFive.get(weekday);
    };
    const open = resource({ visit, calendar: { ...NO_HOURS, weekly } });
    const year = { ...question('2026-06-01', 'Europe/Berlin', [open]), to: '2027-05-31' };
    expect(startsOf(year)).toEqual([]);
    // The days before and of the two changes, each on a Sunday; work that ends in the evening reaches no day after.
    expect(asked).toEqual(new Set([6, 7]));
  });
});

describe('being on shift', () => {
  it('needs the whole visit within the hours, on the grid or off it', () => {
    const staff = [resource()];
    expect(onShift(staff, at('2026-06-01', '09:07'), 'Europe/Berlin')).toEqual([7]);
    expect(onShift(staff, at('2026-06-01', '16:07'), 'Europe/Berlin')).toEqual([]);
  });

  it('lasts over midnight, where clocks go back from after it to before it, too', () => {
    const staff = [resource({}, allDayEveryDay)];
    expect(onShift(staff, at('2026-06-01', '23:30'), 'Europe/Berlin')).toEqual([7]);
    // At 00:01 of the 7th they showed 23:01 of the 6th again.
    for (const [date, time] of [
      ['2010-11-06', '23:30'],
      ['2010-11-07', '00:00'],
    ] as const)
      expect(onShift(staff, at(date, time, 'America/St_Johns'), 'America/St_Johns')).toEqual([7]);
  });
});

describe('a wall time', () => {
  it('that a clock change skips has no instant; a repeated one means the first', () => {
    expect(instantOfWallTime('2026-03-29', '02:30', 'Europe/Berlin')).toBeNull();
    expect(new Date(at('2026-10-25', '02:30')).toISOString()).toBe('2026-10-25T00:30:00.000Z');
  });
});
