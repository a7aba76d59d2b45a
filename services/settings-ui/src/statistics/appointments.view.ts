import type { AppointmentStatistics } from '@frontdesk/contracts';
import { barChart } from '../charts/bars.view.ts';
import { sumOf } from '../charts/chart.rules.ts';
import { dayColumns } from '../charts/columns.rules.ts';
import { SOURCES } from '../records/addresses.rules.ts';
import { BUSINESS } from '../records/record-form.view.ts';
import type { Region } from '../region/region.rules.ts';
import { countText, durationText, plural } from '../region/words.rules.ts';
import { nameLink, parts, unavailable } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import type { PageContext } from '../ui/page-context.ts';
import { mayUse } from '../ui/page-scopes.rules.ts';
import { card } from '../ui/panel.view.ts';

type Counts = AppointmentStatistics['today'];
const kept = ({ scheduled, completed }: Counts) => scheduled + completed;
const lost = ({ cancelled, no_show }: Counts) => cancelled + no_show;

export const appointmentsCard = (
  context: PageContext,
  appointments: AppointmentStatistics | null,
  region: Region,
): Html =>
  card({
    id: 'appointments',
    title: 'Appointments',
    isWide: true,
    more: html`<a href="/settings/calendar">Calendar</a>`,
    body:
      appointments === null
        ? unavailable('The appointments')
        : sumOf(appointments.days, (day) => kept(day) + lost(day)) === 0
          ? empty(context, appointments)
          : html`<div class="beside">
<div class="stack">${day(appointments, region)}</div>${around(appointments, region)}</div>`,
  });

const empty = (context: PageContext, { working_minutes }: AppointmentStatistics): Html =>
  html`<p class="empty">No appointments in these two weeks. ${
    working_minutes === 0 &&
    mayUse(context, 'GET', BUSINESS) &&
    html`<a href="${BUSINESS}">Set up services, staff and hours</a> first. `
  }Bookings made through ${nameLink(context, '/settings/api#keys', 'the API')} or
${nameLink(context, SOURCES, 'your phone agent')} appear here.</p>`;

function day(appointments: AppointmentStatistics, region: Region): Html {
  const { today, working_minutes, free_minutes } = appointments;
  const { scheduled, completed, cancelled, no_show } = today;
  const of = parts(
    `${countText(region, scheduled)} scheduled`,
    completed > 0 && `${countText(region, completed)} completed`,
    cancelled > 0 && `${countText(region, cancelled)} cancelled`,
    no_show > 0 && plural(region, no_show, 'no-show'),
  );
  const working = durationText(working_minutes);
  return html`<p class="figure"><strong>${countText(region, kept(today))}</strong> <span>today</span></p>
<p class="hint">${of}</p>
${
  working_minutes > 0
    ? html`<p class="hint">${durationText(free_minutes)} free from now on, of ${working} working time</p>`
    : html`<p class="hint">Nobody works today.</p>`
}`;
}

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
