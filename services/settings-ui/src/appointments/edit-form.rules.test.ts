import { editBody, patchOf } from './edit-form.rules.ts';

const DRAWN = { service_id: '1', staff_id: '3', duration_minutes: '60', price: '45,50', notes: 'a\nb' };
const UNTOUCHED = { ...DRAWN, notes: 'a\r\nb', drawn: JSON.stringify(DRAWN) };
/** As the page reads it, the price apart. */
const patchFrom = (sent: Record<string, string>, price?: number) =>
  patchOf(editBody.parse({ ...sent, price }), sent);

it('has what was touched alone: another service then brings its own length and price', () => {
  expect(patchFrom(UNTOUCHED, 45.5)).toEqual({});
  expect(patchFrom({ ...UNTOUCHED, service_id: '2' }, 45.5)).toEqual({ service_id: 2 });
  const both = { ...UNTOUCHED, service_id: '2', duration_minutes: '75', price: '50' };
  expect(patchFrom(both, 50)).toEqual({ service_id: 2, duration_minutes: 75, price: 50 });
  expect(patchFrom({ ...UNTOUCHED, staff_id: 'any', notes: '' }, 45.5)).toEqual({
    staff_id: null,
    notes: null,
  });
});

it('has another time where one of the free ones was pressed', () => {
  expect(patchFrom({ ...UNTOUCHED, at: '2031-06-02T14:00' }, 45.5)).toEqual({
    appointment_date: '2031-06-02',
    appointment_time: '14:00',
  });
});

it('has all that a program names', () => {
  expect(patchOf(editBody.parse({ duration_minutes: 60, notes: null }), {})).toEqual({
    duration_minutes: 60,
    notes: null,
  });
});
