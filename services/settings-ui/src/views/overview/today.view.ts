import type { AppointmentStatistics } from '@frontdesk/contracts';
import { sumOf } from '../../domain/overview/business-overview.ts';
import { spanText } from '../../domain/shared/dates.ts';
import type { Region } from '../../domain/shared/region.ts';
import { countText, durationText, plural } from '../../domain/shared/words.ts';
import { barChart } from '../shared/charts/bars.ts';
import { type Html, html } from '../shared/html.ts';
import { unavailable } from '../shared/parts.ts';
import { card, parts } from './card.ts';
import { dayColumns } from './columns.ts';

const SHOWN = 4;

type Counts = AppointmentStatistics['today'];
const kept = ({ scheduled, completed }: Counts) => scheduled + completed;
const lost = ({ cancelled, no_show }: Counts) => cancelled + no_show;

export const todayCard = (appointments: AppointmentStatistics | null, region: Region): Html =>
  card({
    id: 'today',
    title: 'Appointments',
    isWide: true,
    more: { href: '/settings/calendar', text: 'Calendar' },
    body:
      appointments === null
        ? unavailable('The appointments')
        : sumOf(appointments.days, (day) => kept(day) + lost(day)) === 0
          ? empty(appointments)
          : html`<div class="beside"><div class="stack">${day(appointments, region)}</div>${around(appointments, region)}</div>`,
  });

const empty = ({ working_minutes }: AppointmentStatistics): Html =>
  html`<p class="empty">No appointments in these two weeks. ${
    working_minutes === 0
      ? html`<a href="/settings/business">Set up services, staff and hours</a> first. `
      : ''
  }Bookings made through <a href="/settings/api#keys">the API</a> or <a href="/settings/calls/sources">your phone agent</a> appear here.</p>`;

function day(appointments: AppointmentStatistics, region: Region): Html {
  const { today, next, working_minutes, free_minutes } = appointments;
  const { scheduled, completed, cancelled, no_show } = today;
  const of = parts(
    `${countText(region, scheduled)} scheduled`,
    completed > 0 && `${countText(region, completed)} completed`,
    cancelled > 0 && `${countText(region, cancelled)} cancelled`,
    no_show > 0 && plural(region, no_show, 'no-show'),
  );
  return html`<p class="figure"><strong>${countText(region, kept(today))}</strong> <span>today</span></p>
<p class="hint">${of}</p>
${
  working_minutes > 0
    ? html`<p class="hint">${durationText(free_minutes)} free from now on, of ${durationText(working_minutes)} working time</p>`
    : html`<p class="hint">Nobody works today.</p>`
}
<h3>Next</h3>
${next.length === 0 ? html`<p class="hint">Nothing else today.</p>` : list(next, region)}`;
}

const list = (next: AppointmentStatistics['next'], region: Region): Html =>
  html`<ol class="agenda">${next
    .slice(0, SHOWN)
    .map(
      ({ starts_at, appointment_time, end_time, service, staff }) =>
        html`<li><time datetime="${starts_at}">${spanText(region, appointment_time, end_time)}</time><span>${service}${staff !== null && html` <span class="hint">with ${staff}</span>`}</span></li>`,
    )}</ol>${next.length > SHOWN && html`<p class="hint">and more later</p>`}`;

const around = ({ date, days }: AppointmentStatistics, region: Region): Html =>
  barChart({
    region,
    name: 'Appointments by day, a week back and a week ahead',
    columnsAre: 'Day',
    columns: dayColumns(
      region,
      days,
      days.findIndex((one) => one.date === date),
    ),
    series: [
      { name: 'Scheduled or completed', tone: 'main', values: days.map(kept) },
      { name: 'Cancelled or no-show', tone: 'bad', values: days.map(lost) },
    ],
    format: (value) => countText(region, value),
  });
