import fc from 'fast-check';
import { localDate, localTime, plusDays } from './local-time.ts';

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'America/Sao_Paulo',
  'Africa/Casablanca',
  'Africa/Monrovia',
  'Pacific/Apia',
  'Europe/Amsterdam',
  'UTC',
];

const minuteBetween = (from: string, to: string) =>
  fc
    .integer({ min: Date.parse(from) / 60_000, max: Date.parse(to) / 60_000 })
    .map((minute) => minute * 60_000);

describe('local time', () => {
  it('is what Temporal says, in every zone and year', () => {
    const instants = minuteBetween('1900-01-02T00:00Z', '2999-12-30T00:00Z');
    fc.assert(
      fc.property(instants, fc.constantFrom(...ZONES), (instant, timezone) => {
        const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone);
        const local = localTime(instant, timezone);
        expect([local.date, local.time]).toEqual([
          zoned.toPlainDate().toString(),
          zoned.toPlainTime().toString().slice(0, 5),
        ]);
        expect(local.iso).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/);
        expect(Date.parse(local.iso)).toBe(instant);
        if (zoned.offsetNanoseconds % 60e9 === 0)
          expect(local.iso).toBe(zoned.toString({ smallestUnit: 'second', timeZoneName: 'never' }));
        expect(localDate(instant, timezone)).toBe(zoned.toPlainDate().toString());
      }),
      { numRuns: 2_000 },
    );
  });

  it('is so too in the minutes around a clock change', () => {
    const changes = ZONES.flatMap((timezone) => {
      const change = Temporal.PlainDate.from('2026-01-01')
        .toZonedDateTime(timezone)
        .getTimeZoneTransition('next');
      return change === null ? [] : [{ timezone, at: change.epochMilliseconds }];
    });
    expect(changes.length).toBeGreaterThan(4);
    for (const { timezone, at } of changes) {
      for (let minute = -1_500; minute <= 1_500; minute += 1) {
        const instant = at + minute * 60_000;
        const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone);
        expect(localTime(instant, timezone).iso).toBe(
          zoned.toString({ smallestUnit: 'second', timeZoneName: 'never' }),
        );
      }
    }
  });

  it('counts days by the calendar', () => {
    expect(plusDays('2028-02-28', 2)).toBe('2028-03-01');
    expect(plusDays('2026-03-29', 1)).toBe('2026-03-30');
    expect(plusDays('2026-01-01', -1)).toBe('2025-12-31');
  });
});
