import { type BusinessDocument, businessDocument, MAX_STAFF } from '@frontdesk/contracts';
import { businessErrors } from './business.rules.ts';

const NOTHING = { services: [], staff: [] };
const errorsOf = (document: object, stored: Parameters<typeof businessErrors>[2] = NOTHING) =>
  businessErrors(businessDocument.parse(document) as BusinessDocument, 'JPY', stored);

describe('a business document', () => {
  it('may name services that are stored already', () => {
    const document = { staff: [{ name: 'Anna', services: ['Cut'] }] };
    expect(errorsOf(document, { services: [{ name: 'Cut' }], staff: [] })).toEqual({});
    expect(Object.keys(errorsOf(document))).toEqual(['staff.0.services']);
  });

  it('may not name anybody or any date twice, nor a price finer than the currency', () => {
    const exceptions = ['2031-12-24', '2031-12-24'].map((date) => ({ date, hours: [] }));
    const document = {
      exceptions,
      services: [{ name: 'Cut', duration_minutes: 30, price: 0.5 }],
      staff: [
        { name: 'Anna', services: [], exceptions },
        { name: 'Anna', services: [] },
      ],
    };
    expect(Object.keys(errorsOf(document))).toEqual([
      ...['staff.1.name', 'exceptions.1.date', 'services.0.price', 'staff.0.exceptions.1.date'],
    ]);
  });

  it.each([MAX_STAFF, MAX_STAFF + 100])('may not add anybody to %s staff', (count) => {
    const stored = Array.from({ length: count }, (_, index) => ({ name: `Staff ${index}` }));
    const withStaff = (name: string) =>
      errorsOf({ staff: [{ name, services: [] }] }, { services: [], staff: stored });
    expect(withStaff('Staff 7')).toEqual({});
    expect(withStaff('Anna')).toEqual({ staff: [expect.stringContaining('at most 200')] });
  });

  it('takes breaks only within hours that it gives, its own and its staff’s', () => {
    const noon = [{ start: '12:00', end: '13:00' }];
    const nine = [{ start: '09:00', end: '17:00' }];
    const staff = [
      { name: 'Anna', services: [], hours: { monday: nine }, breaks: { monday: noon } },
      { name: 'Ben', services: [], hours: { monday: nine }, breaks: { tuesday: noon } },
      { name: 'Cem', services: [], breaks: { monday: noon } },
    ];
    expect(errorsOf({ breaks: { sunday: noon }, staff })).toEqual({
      'breaks.sunday': ['The break from 12:00 to 13:00 is not within the hours of that day.'],
      'staff.1.breaks.tuesday': [expect.any(String)],
      'staff.2.breaks.monday': [expect.any(String)],
    });
  });
});
