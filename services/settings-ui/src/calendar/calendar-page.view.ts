import type { TenantView } from '@frontdesk/contracts';
import { BOOKING, bookingAddress } from '../records/booking-query.rules.ts';
import { dateBeside, dayAddress, liveAddress, weekAddress } from '../records/day-query.rules.ts';
import { clockOptions, longDate, weekdayName } from '../region/dates.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { formatsOf } from '../region/region-formats.rules.ts';
import { type Html, html, type Renderable } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import type { PageContext } from '../ui/page-context.ts';
import { canChange } from '../ui/page-scopes.rules.ts';
import { timeOffDialogs } from './time-off.view.ts';

interface CalendarPage {
  tenant: TenantView | null;
  region: Region;
  view: 'day' | 'week';
  /** The day that is shown, or one of the week. */
  date: string;
  /** The page's own address. */
  address: string;
  title: string;
  /** The same where there is little room. */
  shortTitle: string;
  /** Of a day: the days of its week lead to each other. */
  week?: { today: string; cancelled: '1' | undefined };
  /** Where the arrows lead; null where dates end. */
  before: { href: string; name: string } | null;
  today: { href: string; isShown: boolean };
  after: { href: string; name: string } | null;
  /** Fields of the form that goes to a date. */
  fields: Renderable;
  staffId?: number | undefined;
  /** Changes by itself. */
  body: Html;
}

/** A page of `/settings/calendar`: the way to other days above, and what happens on these ones. */
export const calendarPage = (context: PageContext, page: CalendarPage): string =>
  layout(context, {
    title: 'Calendar',
    at: '/settings/calendar',
    lead: page.tenant?.name ?? false,
    body: html`<section class="card calendar" aria-labelledby="calendar-title">
${bar(context, page)}
<p class="for-reader" role="status" id="live-news"></p>
<div id="calendar" data-live="${liveAddress(page.address)}">${page.body}</div></section>
${canChange(context, BOOKING) && html`${moveDialog(context, page.region)}${timeOffDialogs(page.region)}`}`,
    said: html`<div role="status" id="moved"></div>`,
  });

function bar(context: PageContext, page: CalendarPage): Html {
  const { view, date, title, shortTitle, before, today, after, fields, staffId: staff_id } = page;
  const forReader = (text: string) => html`<span class="for-reader">${text}</span>`;
  const arrow = (to: CalendarPage['before'], sign: string, rel: 'prev' | 'next') =>
    to &&
    html`<a class="button" rel="${rel}" href="${to.href}"><span aria-hidden="true">${sign}</span>${forReader(to.name)}</a>`;
  const viewLink = (name: string, href: string, isCurrent: boolean) =>
    html`<a href="${href}"${isCurrent && html` aria-current="page"`}>${name}</a>`;
  const week = weekAddress({ date, staff_id });
  return html`<div class="day-bar"><nav class="dates" aria-label="Dates">
${arrow(before, '‹', 'prev')}
${page.week && weekStrip(page.region, date, page.week)}
<a class="button" href="${today.href}"${today.isShown && html` aria-current="date"`}>Today</a>
${arrow(after, '›', 'next')}</nav>
<h2 id="calendar-title"><span class="long">${title}</span><span class="short">${shortTitle}</span></h2>
<nav class="views" aria-label="Views">
${viewLink('Day', dayAddress({ date, cancelled: undefined }), view === 'day')}
${viewLink('Week', week, view === 'week')}</nav>
${canChange(context, BOOKING) && html`<a class="button primary" href="${bookingAddress({ date, staff_id })}">Book</a>`}</div>
<form method="get" action="/settings/calendar${view === 'week' && '/week'}" class="row go-to" aria-label="Go to a ${view}">
${fields}<label><span class="for-reader">Date</span><input type="date" name="date" value="${date}" required></label>
<button type="submit">Show</button><button type="button" data-print hidden>Print</button></form>`;
}

const WEEK_DAYS = 7;

/** The days of the week around a date, from Monday on; on phones. */
function weekStrip(
  region: Region,
  date: string,
  { today, cancelled }: NonNullable<CalendarPage['week']>,
): Html {
  const monday = 1 - Temporal.PlainDate.from(date).dayOfWeek;
  const days = Array.from({ length: WEEK_DAYS }, (_, nth) => dateBeside(date, monday + nth));
  return html`<span class="week-strip">${days.map(
    (day) =>
      day !== null &&
      html`<a href="${dayAddress({ date: day, cancelled })}"${day === date && html` aria-current="page"`}${
        day === today && html` class="today"`
      }><span class="for-reader">${longDate(region, day)}</span><span aria-hidden="true">${weekdayName(region, day)}
<b>${Number(day.slice(-2))}</b></span></a>`,
  )}</span>`;
}

/** What calendar.js asks and says when an appointment is dragged. */
const moveDialog = ({ csrfToken }: PageContext, region: Region): Html =>
  html`<dialog id="move" aria-labelledby="move-title" data-csrf="${csrfToken}" data-locale="${formatsOf(region).locale}"
data-clock="${JSON.stringify(clockOptions(region))}"><form method="dialog">
<h3 id="move-title">Move this appointment?</h3>
<p><strong data-part="what"></strong><br><s data-part="from"></s><br><span data-part="to"></span></p>
<p class="notice bad" role="alert" tabindex="-1" data-part="problem" hidden></p>
<div class="actions" data-part="others" role="group" aria-label="Free times nearby" hidden></div>
<div class="actions"><button value="cancel">Keep time</button>
<a class="button" data-part="elsewhere" hidden>Pick another time</a>
<button type="button" class="primary" data-part="move">Move</button></div></form></dialog>`;
