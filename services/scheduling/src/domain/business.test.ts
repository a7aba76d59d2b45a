import { businessDocument } from '@frontdesk/contracts';
import { businessErrors, hoursEntries } from './business.ts';

describe('a business document', () => {
  it('may name services that are stored already', () => {
    const document = businessDocument.parse({ staff: [{ name: 'Anna', services: ['Cut'], hours: {} }] });
    expect(businessErrors(document, 'EUR', new Set(['Cut']))).toEqual({});
    expect(Object.keys(businessErrors(document, 'EUR', new Set()))).toEqual(['staff.0.services']);
  });

  it('may not name anybody twice, nor a price finer than the currency', () => {
    const document = businessDocument.parse({
      services: [{ name: 'Cut', duration_minutes: 30, price: 0.5 }],
      staff: [
        { name: 'Anna', services: [], hours: {} },
        { name: 'Anna', services: [], hours: {} },
      ],
    });
    expect(Object.keys(businessErrors(document, 'JPY', new Set()))).toEqual([
      'staff.1.name',
      'services.0.price',
    ]);
  });

  it('keeps several spans of a day, until midnight too', () => {
    const spans = [
      { start: '09:00', end: '12:30' },
      { start: '20:00', end: '24:00' },
    ];
    expect(hoursEntries({ sunday: spans })).toEqual([
      { weekday: 7, start_minute: 540, end_minute: 750 },
      { weekday: 7, start_minute: 1_200, end_minute: 1_440 },
    ]);
  });
});
