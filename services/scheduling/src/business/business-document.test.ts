import { setImmediate as nextTurn } from 'node:timers/promises';
import { DEFAULT_BOOKING_SETTINGS } from '../booking-settings/booking-settings.rules.ts';
import { documentText, parsedDocument } from './business-document.ts';

const STAFF = 200;
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const time_off = numbers(100).map((n) => ({
  start: `2031-01-01T00:00`,
  end: `2031-01-01T12:00`,
  note: `${n}`,
}));
const member = (n: number) => ({ name: `Staff ${n}`, services: [], time_off });

/** Turns of the event loop in which other work could have been done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false];
  const count = async () => {
    for (; !isDone; turns += 1) await nextTurn();
  };
  await Promise.all([count(), work.finally(() => (isDone = true))]);
  return turns;
}

describe('a long document', () => {
  it('is parsed in many turns of the event loop', async () => {
    const turns = await turnsDuring(parsedDocument({ services: [], staff: numbers(STAFF).map(member) }));
    expect(turns).toBeGreaterThan(5);
  });

  it('is written piece by piece, with a pause after each staff member', async () => {
    const row = {
      specialties: [],
      service_ids: [],
      is_active: true,
      follows_business_hours: false,
      version: 1,
      color: null,
    };
    const asked: number[] = [];
    const business = {
      settings: DEFAULT_BOOKING_SETTINGS,
      services: [],
      staff: numbers(STAFF).map((id) => ({ ...row, id: id + 1, name: `Staff ${id}` })),
      calendarOf: (id: number) => {
        asked.push(id);
        return { hours: {}, exceptions: [], time_off: [] };
      },
    };
    const pieces: string[] = [];
    for await (const piece of documentText(business, () => void pieces.push(`pause ${asked.length - 1}`)))
      pieces.push(piece);
    const text = pieces.filter((piece) => !piece.startsWith('pause'));
    expect(pieces.length - text.length).toBe(STAFF);
    expect(pieces.indexOf('pause 1')).toBeLessThan(pieces.length - STAFF);
    const { success, data } = JSON.parse(text.join(''));
    expect([success, data.staff.length, data.staff[7].name]).toEqual([true, STAFF, 'Staff 7']);
  });
});

describe('what is wrong with staff', () => {
  it('is named by its place in the document, up to a hundred fields', async () => {
    const wrong = { name: '', services: 'Cut', hours: { monday: [{ start: '25:00', end: '26:00' }] } };
    const errorsOf = (staff: unknown[]) =>
      parsedDocument({ services: [], staff }).then(
        () => null,
        ({ errors }) => errors,
      );
    expect(await errorsOf([member(1), wrong, null])).toEqual({
      'staff.1.name': ['The staff.1.name field is required.'],
      'staff.1.services': ['The staff.1.services field must be an array.'],
      'staff.1.hours.monday.0.start': [
        'The staff.1.hours.monday.0.start field must be a time in the format H:i.',
      ],
      'staff.1.hours.monday.0.end': [
        'The staff.1.hours.monday.0.end field must be a time in the format H:i.',
      ],
      'staff.2': ['The staff.2 field is required.'],
    });
    expect(Object.keys(await errorsOf(numbers(STAFF).map(() => null)))).toHaveLength(100);
  });
});
