import { noticeMinutes, noticeOf } from '../business/notice.rules.ts';
import { TIME_FAULT } from '../region/read-time.rules.ts';
import { NO_REGION } from '../region/region.rules.ts';
import { daysOfTimeOff, timeOffErrors, timeOffOf } from '../region/time-off.rules.ts';
import { draftStepOf, takeStep } from './draft-steps.rules.ts';
import { draftErrors, draftOfForm, draftOfHours, hoursOfDraft } from './hours-draft.rules.ts';
import { frameOf, hoursInWords, weekPicture } from './week-picture.rules.ts';

const NINE_TO_FIVE = [{ start: '09:00', end: '17:00' }];
const SPLIT = [
  { start: '08:00', end: '12:00' },
  { start: '13:00', end: '24:00' },
];

it('what is stored is shown in the form and read from it again as the same', () => {
  const hours = { monday: SPLIT, sunday: NINE_TO_FIVE };
  expect(hoursOfDraft(draftOfHours(hours))).toMatchObject(hours);
  expect(draftErrors(draftOfHours(hours))).toEqual({});
});

it('reads one row as well as several, and leaves out those that are empty', () => {
  const draft = draftOfForm({
    monday_start: '09:00',
    monday_end: '17:00',
    friday_start: ['', '10:00'],
    friday_end: ['', '11:00'],
  });
  expect(hoursOfDraft(draft)).toMatchObject({
    monday: NINE_TO_FIVE,
    friday: [{ start: '10:00', end: '11:00' }],
    sunday: [],
  });
});

it('a break goes into the middle of the longest stretch; one too short stays whole', () => {
  const step = draftStepOf('break:monday');
  if (!step) throw new Error('no step');
  const draft = draftOfHours({ monday: SPLIT });
  expect(takeStep(draft, step).monday.map(({ start, end }) => `${start}-${end}`)).toEqual([
    ...['08:00-12:00', '13:00-18:15', '18:45-00:00'],
  ]);
  const short = draftOfHours({ monday: [{ start: '09:00', end: '09:45' }] });
  expect(takeStep(short, step).monday).toEqual(short.monday);
});

it('takes no step that it does not know', () => {
  for (const value of [undefined, '', 'save', 'add:someday', 'add:monday:x', 7])
    expect(draftStepOf(value)).toBeNull();
});

it('draws stretches and the breaks between, from the first hour to the last', () => {
  const { days, marks, totalMinutes } = weekPicture(NO_REGION, { monday: SPLIT, tuesday: NINE_TO_FIVE });
  expect(days[0]).toMatchObject({
    stretches: [
      { x: 0, width: 25 },
      { x: 31.25, width: 68.75 },
    ],
    breaks: [{ x: 25, width: 6.25 }],
  });
  expect(marks.map(({ text }) => text)).toEqual([
    '08:00',
    '10:00',
    '12:00',
    '14:00',
    '16:00',
    '18:00',
    '20:00',
    '22:00',
    '24:00',
  ]);
  expect(totalMinutes).toBe(23 * 60);
  expect(frameOf([])).toEqual({ from: 8, to: 18 });
});

it('says hours in words, days with the same ones together', () => {
  const weekdays = { monday: NINE_TO_FIVE, tuesday: NINE_TO_FIVE, wednesday: NINE_TO_FIVE };
  expect(hoursInWords(NO_REGION, { ...weekdays, saturday: NINE_TO_FIVE })).toEqual([
    'Mon–Wed 09:00–17:00',
    'Sat 09:00–17:00',
  ]);
  expect(hoursInWords(NO_REGION, {})).toEqual([]);
});

it('hours and pictures are written by the country’s clock', () => {
  const america = { zone: 'UTC', country: 'US' };
  expect(hoursInWords(america, { friday: SPLIT })).toEqual([
    'Fri 8:00\u00A0AM\u00A0– 12:00\u00A0PM, 1:00\u00A0PM\u00A0– 12:00\u00A0AM',
  ]);
  const { marks } = weekPicture(america, { monday: SPLIT });
  expect(marks.map(({ text }) => text).slice(0, 3)).toEqual(['8\u00A0AM', '10\u00A0AM', '12\u00A0PM']);
});

it('times are read as they are typed, and what is none is said', () => {
  const typed = { monday_start: ['9', '2 p.m.'], monday_end: ['1pm', '18h'] };
  expect(hoursOfDraft(draftOfForm(typed)).monday).toEqual([
    { start: '09:00', end: '13:00' },
    { start: '14:00', end: '18:00' },
  ]);
  const unread = draftOfForm({ monday_start: 'nine', monday_end: '17:00' });
  expect(unread.monday).toEqual([{ start: 'nine', end: '17:00' }]);
  expect(draftErrors(unread)).toEqual({ monday: [TIME_FAULT] });
});

it.each([
  ['2031-05-30', '', '2031-06-02', '', '2031-05-30T00:00', '2031-06-03T00:00'],
  ['2031-05-31', '12:00', '2031-05-31', '', '2031-05-31T12:00', '2031-06-01T00:00'],
  ['2031-05-31', '12:00', '2031-06-01', '10:00', '2031-05-31T12:00', '2031-06-01T10:00'],
])('time off from %s %s to %s %s', (first_day, first_time, last_day, last_time, start, end) => {
  const timeOff = timeOffOf({ first_day, first_time, last_day, last_time, note: null });
  expect(timeOff).toEqual({ start, end, note: null });
  expect(daysOfTimeOff(timeOff)).toEqual({
    first: { date: first_day, time: first_time || null },
    last: { date: last_day, time: last_time || null },
  });
});

it('time off that ends at 24:00 ends with its day', () => {
  const form = { first_day: '2031-05-31', first_time: '12:00', last_day: '', last_time: '24:00', note: null };
  expect(timeOffErrors(form)).toEqual({});
  expect(timeOffOf(form)).toEqual({ start: '2031-05-31T12:00', end: '2031-06-01T00:00', note: null });
  expect(timeOffErrors({ ...form, first_time: '24:00' })).toEqual({ first_time: [TIME_FAULT] });
});

it.each([0, 45, 90, 120, 1_440, 2_880])(
  'a notice of %s minutes is shown in its largest unit, and read again',
  (minutes) => {
    const { amount, unit } = noticeOf(minutes);
    expect(noticeMinutes(amount, unit)).toBe(minutes);
  },
);
