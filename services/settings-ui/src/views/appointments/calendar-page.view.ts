import type { TenantView } from '@frontdesk/contracts';
import { bookingAddress } from '../../domain/appointments/booking-query.ts';
import { dayAddress, liveAddress, weekAddress } from '../../domain/appointments/day-query.ts';
import { clockOptions } from '../../domain/shared/dates.ts';
import type { Region } from '../../domain/shared/region.ts';
import { formatsOf } from '../../domain/shared/region-formats.ts';
import { type Html, html, type Renderable } from '../shared/html.ts';
import { layout } from '../shared/layout.ts';
import type { PageContext } from '../shared/page-context.ts';

interface CalendarPage {
  tenant: TenantView | null;
  region: Region;
  view: 'day' | 'week';
  /** The day that is shown, or one of the week. */
  date: string;
  /** The page's own address. */
  address: string;
  title: string;
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
<p class="notice good moved" role="status" id="moved" hidden></p>
<div id="calendar" data-live="${liveAddress(page.address)}">${page.body}</div></section>
${!context.isSuspended && moveDialog(context, page.region)}`,
  });

function bar({ isSuspended }: PageContext, page: CalendarPage): Html {
  const { view, date, title, before, today, after, fields, staffId: staff_id } = page;
  const arrow = (to: CalendarPage['before'], sign: string) =>
    to &&
    html`<a class="button" href="${to.href}"><span aria-hidden="true">${sign}</span><span class="for-reader">${to.name}</span></a>`;
  const viewLink = (name: string, href: string, isCurrent: boolean) =>
    html`<a href="${href}"${isCurrent && html` aria-current="page"`}>${name}</a>`;
  const week = weekAddress({ date, staff_id });
  return html`<div class="day-bar"><nav class="actions" aria-label="Dates">
${arrow(before, '‹')}
<a class="button" href="${today.href}"${today.isShown && html` aria-current="date"`}>Today</a>
${arrow(after, '›')}</nav>
<h2 id="calendar-title">${title}</h2>
<nav class="views" aria-label="Views">${viewLink('Day', dayAddress({ date, cancelled: undefined }), view === 'day')}${viewLink('Week', week, view === 'week')}</nav>
<form method="get" action="/settings/calendar${view === 'week' && '/week'}" class="row" aria-label="Go to a ${view}">
${fields}<label><span class="for-reader">Date</span><input type="date" name="date" value="${date}" required></label>
<button type="submit">Show</button></form>
${!isSuspended && html`<a class="button primary" href="${bookingAddress({ date, staff_id })}">Book</a>`}</div>`;
}

/** What calendar.js asks and says when an appointment is dragged. */
const moveDialog = ({ csrfToken }: PageContext, region: Region): Html =>
  html`<dialog id="move" aria-labelledby="move-title" data-csrf="${csrfToken}" data-locale="${formatsOf(region).locale}" data-clock="${JSON.stringify(clockOptions(region))}"><form method="dialog">
<h3 id="move-title">Move this appointment?</h3>
<p><strong data-part="what"></strong><br><s data-part="from"></s><br><span data-part="to"></span></p>
<p class="hint">Your webhooks get the event <code>appointment.updated</code>.</p>
<p class="notice bad" role="alert" data-part="problem" hidden></p>
<div class="actions" data-part="others" role="group" aria-label="Free times nearby" hidden></div>
<div class="actions"><button value="cancel">Cancel</button><button type="button" class="primary" data-part="move">Move</button></div></form></dialog>`;
