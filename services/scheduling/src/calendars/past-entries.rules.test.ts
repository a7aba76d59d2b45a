import { pastDateErrors, pastTimeOffErrors } from './past-entries.rules.ts';

/** In Auckland it is Saturday morning while it is still Friday in UTC. */
const clock = { timezone: 'Pacific/Auckland', now: Date.parse('2026-06-05T20:30:00Z') };
const isPastDate = (date: string) => Object.keys(pastDateErrors(date, clock)).length > 0;
const isPastTimeOff = (end: string) => Object.keys(pastTimeOffErrors({ end }, clock)).length > 0;

it('a date is over when the business’s clocks say so', () => {
  expect(['2020-01-01', '2026-06-05', '2026-06-06', '2026-06-07'].map(isPastDate)).toEqual([
    ...[true, true],
    ...[false, false],
  ]);
});

it('time off is over once it has ended, to the minute', () => {
  const ends = ['2026-06-06T00:00', '2026-06-06T08:30', '2026-06-06T08:31', '2026-06-07T00:00'];
  expect(ends.map(isPastTimeOff)).toEqual([true, true, false, false]);
});
