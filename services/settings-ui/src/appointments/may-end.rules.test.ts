import { mayBeNoShow, mayComplete } from './may-end.rules.ts';

const BERLIN = { zone: 'Europe/Berlin' };
/** 14:00 in Berlin. */
const appointment = { starts_at: '2031-06-02T12:00:00Z' };

describe('pages offer to complete an appointment', () => {
  it.each([
    ['not on the day before, to its last second', '2031-06-01T23:59:59+02:00', false],
    ['from the midnight of its day on', '2031-06-02T00:00:00+02:00', true],
    ['before it begins, on its day', '2031-06-02T09:00:00+02:00', true],
    ['later', '2032-01-01T00:00:00+01:00', true],
  ])('%s', (_when, now, expected) =>
    expect(mayComplete(appointment, BERLIN, Date.parse(now))).toBe(expected),
  );

  it('by the date that it is at the business', () => {
    const now = Date.parse('2031-06-01T23:00:00Z');
    expect(mayComplete(appointment, BERLIN, now)).toBe(true);
    expect(mayComplete(appointment, { zone: 'America/New_York' }, now)).toBe(false);
  });
});

describe('the desk records a no-show', () => {
  it.each([
    ['not on its day, hours before it begins', '2031-06-02T09:00:00+02:00', false],
    ['not in the second before it begins', '2031-06-02T13:59:59+02:00', false],
    ['from the moment at which it begins', '2031-06-02T14:00:00+02:00', true],
    ['later', '2032-01-01T00:00:00+01:00', true],
  ])('%s', (_when, now, expected) => expect(mayBeNoShow(appointment, Date.parse(now))).toBe(expected));
});
