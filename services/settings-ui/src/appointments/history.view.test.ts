import type { AppointmentAdmin, AppointmentHistory } from '@frontdesk/contracts';
import { historyCard } from './history.view.ts';

const AT = '2031-06-02T08:00:00Z';
const names = {
  admins: new Map([[7, 'mia@salon.example']]),
  keys: new Map([[4, 'Web <b>site']]),
  staff: new Map([[1, 'Anna']]),
  services: new Map([[2, 'Shave']]),
};
const textsOf = (history: AppointmentHistory | null) => {
  const card = String(
    historyCard({
      region: { zone: 'Europe/Berlin', country: 'DE' },
      appointment: { currency: 'EUR' } as AppointmentAdmin,
      history,
      historyNames: names,
    }) || 'nothing',
  );
  return card.replaceAll(/<[^>]+>/g, ' ').replaceAll(/[\s\u00a0]+/g, ' ');
};
const by = (role: 'admin' | 'integrator' | 'operator' | 'service', id: number | null = null) => ({
  role,
  id,
});
const changed = (changes: AppointmentHistory[number]['changes']) =>
  textsOf([{ at: AT, by: by('admin', 7), kind: 'changed', changes }]);

it.each([
  [by('admin', 7), 'mia@salon.example'],
  [by('admin', 8), 'A former member'],
  [by('integrator', 4), 'The API, with the key “Web &lt;b&gt;site”'],
  [by('integrator', 5), 'The API'],
  [by('operator'), 'Frontdesk'],
])('says who it was: %j', (who, words) => {
  const entry = { at: AT, by: who, kind: 'booked', changes: [] } as const;
  expect(textsOf([{ ...entry, changes: [] }])).toContain(` · ${words} Booked`);
});

it('gives only the time where nobody knows who it was', () => {
  const text = textsOf([{ at: AT, by: null, kind: 'booked', changes: [] }]);
  expect(text).toContain('10:00 Booked');
  expect(text).not.toContain('·');
});

it.each([
  ['starts_at', AT, '2031-06-03T12:30:00Z', 'Time: Mon, 2 Jun 2031, 10:00 → Tue, 3 Jun 2031, 14:30'],
  ['staff_id', 1, 9, 'With: Anna → Staff member 9'],
  ['staff_id', null, 1, 'With: Unassigned → Anna'],
  ['service_id', 3, 2, 'Service: Service 3 → Shave'],
  ['duration_minutes', 60, 90, 'Duration: 1 h → 1 h 30 min'],
  ['price', 45.5, 20, 'Price: 45,50 € → 20,00 €'],
  ['status', 'scheduled', 'no_show', 'Status: Scheduled → No-show'],
  ['notes', null, null, 'Note changed'],
  ['arrived_at', null, AT, 'Arrived: 10:00'],
  ['arrived_at', AT, null, 'Arrival undone'],
  ['cancellation_reason', null, null, 'Reason changed'],
] as const)('says what it was in words: %s, %s to %s', (field, from, to, words) => {
  expect(changed([{ field, from, to }])).toContain(words);
});

it('shows the latest, and the others behind a line', () => {
  const entry: AppointmentHistory[number] = { at: AT, by: null, kind: 'booked', changes: [] };
  expect(textsOf(Array(4).fill(entry))).not.toContain('earlier');
  expect(textsOf(Array(6).fill(entry))).toContain('2 earlier changes');
});

it('shows no card without entries, and says so when scheduling is away', () => {
  expect(textsOf([])).toBe('nothing');
  expect(textsOf(null)).toContain('The changes can’t be shown right now');
});
