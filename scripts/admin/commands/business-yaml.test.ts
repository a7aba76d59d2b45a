import { businessDocument } from '@frontdesk/contracts';
import { parse } from 'yaml';
import { businessYaml } from './business-yaml.ts';

const NINE = [
  { start: '09:00', end: '12:00' },
  { start: '13:00', end: '24:00' },
];

const business = businessDocument.parse({
  settings: { booking_policy: 'open', slot_step_minutes: 15, minimum_notice_minutes: 0, horizon_days: null },
  hours: {},
  exceptions: [
    { date: '2031-12-24', hours: NINE, note: 'Short: until noon' },
    { date: '2031-12-25', hours: [] },
  ],
  time_off: [],
  services: [{ name: 'Cut & dry', description: 'yes', duration_minutes: 30, price: 45.5 }],
  staff: [
    {
      name: 'No',
      specialties: ['colour', '12:30'],
      services: ['Cut & dry'],
      hours: { monday: NINE, tuesday: NINE },
      exceptions: [],
      time_off: [{ start: '2031-08-01T00:00', end: '2031-08-15T00:00', note: 'null' }],
    },
  ],
});

describe('a business as YAML', () => {
  it('says the same as the document, whatever names look like', () => {
    expect(parse(businessYaml(business))).toEqual(business);
    expect(parse(businessYaml(business), { version: '1.1' })).toEqual(business);
    const odd = businessDocument.parse({
      services: ['- a', '#x', 'true', '2031-12-24', ' a: b ', '"', 'multi\nline', '😀', 'x'.repeat(200)].map(
        (name) => ({ name, duration_minutes: 5, price: 1 }),
      ),
    });
    expect(parse(businessYaml(odd))).toEqual(odd);
  });

  it('has one line for the hours of a day, for an exception and for time off', () => {
    const lines = businessYaml(business).split('\n');
    const spans = '[ { start: "09:00", end: "12:00" }, { start: "13:00", end: "24:00" } ]';
    expect(lines).toEqual(
      expect.arrayContaining([
        'hours: {}',
        `  - { date: "2031-12-24", hours: ${spans}, note: "Short: until noon" }`,
        '  - { date: "2031-12-25", hours: [], note: null }',
        'time_off: []',
        `      monday: ${spans}`,
        '      - { start: 2031-08-01T00:00, end: 2031-08-15T00:00, note: "null" }',
      ]),
    );
  });

  it('begins by saying what it is', () => {
    expect(businessYaml(business)).toMatch(/^# What a business is set up with\./);
  });
});
