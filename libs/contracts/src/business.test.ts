import { businessDocument, weeklyHours } from './business.ts';

const messages = (spans: object[]) =>
  weeklyHours.safeParse({ monday: spans }).error?.issues.map((issue) => issue.message);

describe('a business document', () => {
  it('fills in what is left out', () => {
    expect(businessDocument.parse({})).toEqual({ hours: {}, services: [], staff: [] });
  });

  it('takes several spans a day, up to midnight', () => {
    const spans = [
      { start: '13:00', end: '24:00' },
      { start: '08:00', end: '13:00' },
    ];
    expect(weeklyHours.parse({ monday: spans })).toEqual({ monday: spans });
  });

  it('says how to enter hours that cross midnight', () => {
    expect(messages([{ start: '20:00', end: '02:00' }])?.[0]).toContain('entered as two spans');
  });

  it('refuses spans that overlap, and days that do not exist', () => {
    const overlapping = [
      { start: '08:00', end: '12:00' },
      { start: '11:59', end: '13:00' },
    ];
    expect(messages(overlapping)).toEqual(['The spans of one day must not overlap.']);
    expect(weeklyHours.safeParse({ someday: [] }).success).toBe(false);
  });
});
