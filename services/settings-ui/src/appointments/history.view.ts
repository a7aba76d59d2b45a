import type { AppointmentAdmin, AppointmentHistory } from '@frontdesk/contracts';
import { STATUS_WORDS } from '../records/appointment-words.view.ts';
import { clockIn, dateIn, shortDate } from '../region/dates.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { durationText, moneyText, plural } from '../region/words.rules.ts';
import { parts, unavailable } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { panel } from '../ui/panel.view.ts';
import { timeIn } from '../ui/times.view.ts';

type Entry = AppointmentHistory[number];
type Change = Entry['changes'][number];

/** Who and what a history names by id; of others there is no name any more. */
export interface HistoryNames {
  admins: ReadonlyMap<number, string>;
  keys: ReadonlyMap<number, string>;
  staff: ReadonlyMap<number, string>;
  services: ReadonlyMap<number, string>;
}

interface HistoryOptions {
  region: Region;
  appointment: AppointmentAdmin;
  history: AppointmentHistory | null;
  historyNames: HistoryNames;
}

/** Entries in sight; the others stand behind a line. */
const IN_SIGHT = 4;

/** Who has changed what, the latest first. */
export function historyCard(options: HistoryOptions): Html | false {
  const { history, region } = options;
  if (history?.length === 0) return false;
  const list = (entries: readonly Entry[]) =>
    html`<ol class="history">${entries.map((entry) => line(entry, options))}</ol>`;
  const rest = history?.slice(IN_SIGHT) ?? [];
  return panel({
    id: 'history',
    isPlace: true,
    title: 'Changes',
    body: html`${history === null ? unavailable('The changes') : list(history.slice(0, IN_SIGHT))}${
      rest.length > 0 &&
      html`<details><summary>${plural(region, rest.length, 'earlier change')}</summary>${list(rest)}</details>`
    }`,
  });
}

const line = ({ at, by, kind, changes }: Entry, options: HistoryOptions): Html =>
  html`<li><span class="hint">${parts(timeIn(options.region, at), whoWords(by, options.historyNames))}</span>
${kind === 'booked' ? html`<p>Booked</p>` : changes.map((change) => html`<p>${changeWords(change, options)}</p>`)}</li>`;

/** False where nobody knows: of what an earlier release has written down. */
function whoWords(by: Entry['by'], { admins, keys }: HistoryNames): string | false {
  if (by === null) return false;
  const { role, id } = by;
  if (role === 'admin') return id === null ? 'Someone of the team' : (admins.get(id) ?? 'A former member');
  if (role !== 'integrator') return 'Frontdesk';
  const key = id === null ? undefined : keys.get(id);
  return key === undefined ? 'The API' : `The API, with the key “${key}”`;
}

const NAMES: Readonly<Record<Change['field'], string>> = {
  starts_at: 'Time',
  staff_id: 'With',
  service_id: 'Service',
  duration_minutes: 'Duration',
  price: 'Price',
  status: 'Status',
  notes: 'Note',
  arrived_at: 'Arrived',
  cancellation_reason: 'Reason',
};

/** `Time: Mon, 2 Jun 2031, 10:00 → Tue, 3 Jun 2031, 14:00`. Of a note or a reason it says no more than that it is another one. */
function changeWords({ field, from, to }: Change, options: HistoryOptions): Html {
  if (field === 'notes' || field === 'cancellation_reason') return html`${NAMES[field]} changed`;
  if (field === 'arrived_at' && to === null) return html`Arrival undone`;
  const value = (one: Change['from']) => valueWords(field, one, options);
  if (field === 'arrived_at') return html`${NAMES[field]}: ${value(to)}`;
  return html`${NAMES[field]}: ${value(from)} → ${value(to)}`;
}

function valueWords(
  field: Change['field'],
  value: Change['from'],
  { region, appointment, historyNames: { staff, services } }: HistoryOptions,
): string {
  if (value === null) return field === 'staff_id' ? 'Unassigned' : 'none';
  switch (field) {
    case 'starts_at':
      return `${shortDate(region, dateIn(region.zone, value))}, ${clockIn(region, value)}`;
    case 'arrived_at':
      return clockIn(region, value);
    case 'staff_id':
      return staff.get(Number(value)) ?? `Staff member ${value}`;
    case 'service_id':
      return services.get(Number(value)) ?? `Service ${value}`;
    case 'duration_minutes':
      return durationText(Number(value));
    case 'price':
      return moneyText(region, Number(value), appointment.currency);
    case 'status':
      return STATUS_WORDS[value as keyof typeof STATUS_WORDS] ?? String(value);
    default:
      return String(value);
  }
}
