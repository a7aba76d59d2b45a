import { CUSTOMER_FIELDS } from '../../domain/appointments/booking-form.ts';
import { BOOKING, type BookingQuery, bookingAddress } from '../../domain/appointments/booking-query.ts';
import { dayAddress } from '../../domain/appointments/day-query.ts';
import { clockText, longDate, weekdayAndDay } from '../../domain/shared/dates.ts';
import { TIME_FAULT } from '../../domain/shared/read-time.ts';
import type { Region } from '../../domain/shared/region.ts';
import { durationText, moneyText } from '../../domain/shared/words.ts';
import type { NextFreeTimes } from '../../use-cases/find-free-times.ts';
import type { BookableService, LoadedBooking } from '../../use-cases/load-booking.ts';
import { timeInput } from '../shared/fields.ts';
import { type Html, html, type Renderable } from '../shared/html.ts';
import { layout } from '../shared/layout.ts';
import { EMPTY_FORM, type FormState, type PageContext } from '../shared/page-context.ts';
import { csrfField, keptFields, unavailable } from '../shared/parts.ts';
import { timeIn } from '../shared/times.ts';
import { freeTimesList, staffChoice } from './free-times.view.ts';

interface StepOptions {
  query: Partial<BookingQuery>;
  loaded: LoadedBooking;
  body: Renderable;
}

/** A step of a booking, below what is decided already: each of that leads back to its step. */
export function bookingStep(context: PageContext, { query, loaded, body }: StepOptions): string {
  const { service, staff, customer, call, region } = loaded;
  const { date, time, service_id: _service, ...others } = query;
  const isTimed = service !== null && date !== undefined && time !== undefined;
  const steps = [
    { name: 'Service', chosen: service?.name, href: bookingAddress({ ...others, date, time }) },
    {
      name: 'Time',
      chosen:
        isTimed &&
        `${weekdayAndDay(region, date)}, ${clockText(region, time)}${staff ? ` with ${staff.name}` : ''}`,
      href: bookingAddress({ ...others, anyway: undefined, service_id: service?.id, date }),
    },
    { name: 'Customer', chosen: !isTimed && customer?.name, href: null },
  ];
  const current = steps.findIndex(({ chosen }) => !chosen);
  return layout(context, {
    title: 'Book an appointment',
    at: '/settings/calendar',
    lead: html`${call && html`In the <a href="/settings/calls/${call.id}">call of ${timeIn(region, call.started_at)}</a> · `}<a href="${dayAddress({ date, cancelled: undefined })}">Back to the calendar</a>`,
    body: html`<ol class="steps">${steps.map(({ name, chosen, href }, index) => {
      const isCurrent = index === (current === -1 ? steps.length - 1 : current);
      return html`<li${isCurrent && html` aria-current="step"`}><span class="hint">${name}</span>
${chosen ? html`<strong>${chosen}</strong>` : html`<span>${isCurrent ? 'Choose' : '–'}</span>`}${chosen && href !== null && html` <a href="${href}">Change<span class="for-reader"> ${name.toLowerCase()}</span></a>`}</li>`;
    })}</ol>
${body}`,
  });
}

/**
 * The first step. A service that was asked for and can't be booked is said to be so. `form`: what was sent for it, which goes along
 * to the service that is chosen instead.
 */
export function servicesStep(
  context: PageContext,
  { query, loaded, form }: { query: Partial<BookingQuery>; loaded: LoadedBooking; form?: FormState },
): string {
  const { region, services, unbookable } = loaded;
  return bookingStep(context, {
    ...{ query, loaded },
    body: html`<section class="card" aria-labelledby="service-title"><h2 id="service-title">Which service?</h2>
${query.service_id !== undefined && services !== null && html`<p class="notice waiting" role="status">${unbookable ?? 'The service that was asked for'} can’t be booked now. Choose another service.</p>`}
${services === null ? unavailable('The services') : form ? serviceForm(context, { query, services, region, form }) : serviceList(services, region, serviceLink(query))}</section>`,
  });
}

type ServiceChoice = (service: BookableService, words: Html, isFirst: boolean) => Html;

const serviceLink =
  (query: Partial<BookingQuery>): ServiceChoice =>
  ({ id }, words, isFirst) =>
    html`<a href="${bookingAddress({ ...query, service_id: id })}"${isFirst && html` autofocus data-focus`}>${words}</a>`;

const serviceButton: ServiceChoice = ({ id }, words, isFirst) =>
  html`<button type="submit" name="service_id" value="${id}"${isFirst && html` data-focus`}>${words}</button>`;

const serviceList = (services: BookableService[], region: Region, choice: ServiceChoice): Html =>
  services.length === 0
    ? html`<p class="empty">Nothing can be booked yet. <a href="/settings/business/services">See which services there are, and what they lack</a></p>`
    : html`<ul class="options">${services.map((service, index) => {
        const { name, duration_minutes, price, currency } = service;
        const words = html`<strong>${name}</strong>
<span class="hint">${durationText(duration_minutes)} · ${moneyText(region, price, currency)}</span>`;
        return html`<li>${choice(service, words, index === 0)}</li>`;
      })}</ul>`;

interface ServiceForm {
  query: Partial<BookingQuery>;
  services: BookableService[];
  region: Region;
  form: FormState;
}

function serviceForm(context: PageContext, { query, services, region, form }: ServiceForm): Html {
  const { date, time, staff_id, call_id } = query;
  const hidden = Object.entries({ date, time, staff_id, call_id, do: 'service' });
  return html`<form method="post" action="${BOOKING}" id="booking" data-inline data-keep>${csrfField(context)}
${hidden.map(([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`)}
${keptFields(form, CUSTOMER_FIELDS)}
${serviceList(services, region, serviceButton)}</form>`;
}

interface TimesStep {
  query: BookingQuery;
  loaded: LoadedBooking;
  service: BookableService;
  from: string;
  free: NextFreeTimes | null;
  /** A time that was asked for and isn't offered. */
  refused: { date: string; time: string } | null;
  /** A time as it was typed, which can't be read. */
  unread: string | undefined;
  /** Who was asked for doesn't perform the service. */
  isOther: boolean;
  /** The business takes bookings outside of what is offered. */
  isOpen: boolean;
}

/** The second step: only what can be booked, the next times first. */
export function timesStep(context: PageContext, step: TimesStep): string {
  const { loaded, service, from, free, refused, isOther, isOpen } = step;
  const query = { ...step.query, service_id: service.id, time: undefined };
  const { staff, today, region } = loaded;
  const choices = [
    { name: 'Anyone', id: undefined },
    ...service.performers.map(({ name, id }) => ({ name, id })),
  ].map(({ name, id }) => ({
    ...{ name, href: bookingAddress({ ...query, staff_id: id }) },
    isChosen: staff?.id === id,
  }));
  return bookingStep(context, {
    ...{ query: { ...query, time: undefined }, loaded },
    body: html`<section class="card" aria-labelledby="time-title"><h2 id="time-title">${refused || from !== today ? 'Free times' : 'Next free times'}</h2>
<p>Clock times in ${region.zone}.</p>
${isOther && html`<p class="notice waiting" role="status">${service.name} can’t be booked with the chosen staff member. These are the times of others.</p>`}
${refused && notOffered(step, refused, isOpen)}
${choices.length > 2 && staffChoice(choices)}
${dateForm(query, step)}
${freeTimesList({
  ...{ region, free, today, from },
  timeOf: ({ date, time }, isFirst) =>
    html`<a class="button" href="${bookingAddress({ ...query, date, time })}"${isFirst && html` autofocus data-focus`}>${clockText(region, time)}</a>`,
  laterAddress: (date) => bookingAddress({ ...query, date }),
})}</section>`,
  });
}

const notOffered = (
  { query, service, loaded, loaded: { region } }: TimesStep,
  { date, time }: { date: string; time: string },
  isOpen: boolean,
): Html =>
  html`<div class="notice waiting stack" role="status"><p>${longDate(region, date)}, ${clockText(region, time)} is not free for ${service.name}${loaded.staff && ` with ${loaded.staff.name}`}.</p>
${isOpen && html`<p>You can <a href="${bookingAddress({ ...query, service_id: service.id, anyway: '1' })}">try to book ${clockText(region, time)} all the same</a>, for example outside the hours. It is refused only if the time is taken.</p>`}</div>`;

const timeForm = (unread: string | undefined): FormState =>
  unread === undefined
    ? EMPTY_FORM
    : { ...EMPTY_FORM, values: { typed_time: unread }, errors: { typed_time: [TIME_FAULT] } };

/** Times from another date on; or one time of it, which may be none of those that are offered. */
const dateForm = (query: Partial<BookingQuery>, { loaded, from, unread }: TimesStep): Html =>
  html`<form method="get" action="${BOOKING}" class="row" aria-label="Another date or time">
${Object.entries(query).map(([name, value]) => value !== undefined && name !== 'date' && html`<input type="hidden" name="${name}" value="${value}">`)}
<label class="field">From<input type="date" name="date" value="${from}" min="${loaded.today}" required></label>
${timeInput(loaded.region, timeForm(unread), { name: 'typed_time', label: 'Time', isOptional: true })}
<button type="submit">Show</button></form>`;
