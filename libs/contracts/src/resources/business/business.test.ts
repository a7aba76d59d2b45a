import { z } from 'zod';
import { businessDocument } from './business.ts';
import { datedHours, timeOffInput, weeklyHours } from './hours.ts';

const messagesOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message);
const messages = (spans: object[]) => messagesOf(weeklyHours, { monday: spans });

describe('a business document', () => {
  it('fills in what has a default, and nothing for what would replace something', () => {
    expect(businessDocument.parse({})).toEqual({ services: [], staff: [] });
    const { services, staff } = businessDocument.parse({
      services: [{ name: 'Cut', duration_minutes: 30, price: 10 }],
      staff: [{ name: 'Anna', services: [] }],
    });
    expect(services).toEqual([
      {
        name: 'Cut',
        duration_minutes: 30,
        price: 10,
        is_active: true,
        buffer_before_minutes: 0,
        buffer_after_minutes: 0,
      },
    ]);
    expect(Object.keys(staff[0] ?? {})).toEqual(['name', 'specialties', 'services', 'is_active']);
  });

  it('takes several spans a day, up to midnight, and puts them in order', () => {
    const afternoon = { start: '13:00', end: '24:00' };
    const morning = { start: '08:00', end: '13:00' };
    expect(weeklyHours.parse({ monday: [afternoon, morning] })).toEqual({ monday: [morning, afternoon] });
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
    expect(messagesOf(weeklyHours, { someday: [] })?.[0]).toContain('only the days monday to sunday');
  });

  it.each([[{ start: 9, end: 12 }], ['09:00-12:00'], [null]])(
    'refuses %j as a span without failing',
    (span) => {
      expect(messages([span as object, { start: '10:00', end: '11:00' }])).not.toBeUndefined();
    },
  );

  it('takes time off on the business’s clocks only, forwards, on dates that exist', () => {
    const timeOff = (start: string, end: string) => messagesOf(timeOffInput, { start, end });
    expect(timeOffInput.parse({ start: '2031-12-24T00:00', end: '2032-01-02T00:00' }).note).toBeNull();
    expect(timeOff('2031-12-24T10:00', '2031-12-24T10:00')).toEqual(['Time off must end after it starts.']);
    expect(timeOff('2031-02-29T10:00', '2031-03-01T10:00')).toEqual([
      'The {field} field must be a date that exists.',
    ]);
    for (const start of ['2031-12-24', '2031-12-24T10:00Z', '2031-12-24T24:00', '2031-12-24 10:00'])
      expect(timeOff(start, '2032-01-01T00:00')?.[0]).toContain('Y-m-dTH:i');
  });

  it('an exception without spans is a day on which nobody works', () => {
    expect(datedHours.parse({ date: '2031-12-24', hours: [] })).toEqual({
      date: '2031-12-24',
      hours: [],
      note: null,
    });
    expect(datedHours.safeParse({ date: '2031-12-24' }).success).toBe(false);
  });

  it('can be expressed in JSON Schema, which writes replies', () => {
    const schema = z.toJSONSchema(businessDocument, { io: 'output', unrepresentable: 'throw' });
    expect(Object.keys(schema.properties ?? {})).toContain('time_off');
  });
});
