import { businessDocument } from '@frontdesk/contracts';
import { unknownKeys } from './unknown-keys.ts';

const keysOf = (document: unknown) => unknownKeys(businessDocument, document);
const nine = { start: '09:00', end: '17:00' };

describe('keys of a business document', () => {
  it('are known at every level', () => {
    const calendar = {
      hours: { monday: [nine] },
      breaks: { monday: [] },
      exceptions: [{ date: '2031-12-24', hours: [nine], note: null }],
      time_off: [{ start: '2031-12-24T00:00', end: '2031-12-25T00:00', note: 'away' }],
    };
    expect(
      keysOf({
        settings: { booking_policy: 'open', horizon_days: null },
        ...calendar,
        services: [{ name: 'Cut', description: null, buffer_after_minutes: 5, is_active: true }],
        staff: [{ name: 'Anna', specialties: [], services: ['Cut'], ...calendar }],
      }),
    ).toEqual([]);
  });

  it('that are none are named by their path, wherever they are', () => {
    expect(
      keysOf({
        houres: { monday: [nine] },
        settings: { booking_polcy: 'open' },
        hours: { monday: [{ ...nine, note: 'x' }] },
        services: [{ name: 'Cut' }, { name: 'Dye', prize: 3 }],
        staff: [{ name: 'Anna', exceptions: [{ date: '2031-12-24', hour: [nine] }] }],
        constructor: {},
      }),
    ).toEqual([
      ...['houres', 'settings.booking_polcy', 'hours.monday.0.note', 'services.1.prize'],
      ...['staff.0.exceptions.0.hour', 'constructor'],
    ]);
  });

  it.each([[null], ['text'], [[1]], [{ staff: 'Anna', services: [null, 3], hours: null }]])(
    'of something else altogether, %j, are left to the API',
    (document) => expect(keysOf(document)).toEqual([]),
  );
});
