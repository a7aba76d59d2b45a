import { customerSummaryCard } from '../customers/customer-summary.view.ts';
import { BOOKING, type BookingQuery, bookingAddress } from '../records/booking-query.rules.ts';
import { byCategory } from '../records/categories.rules.ts';
import { dayAddress } from '../records/day-query.rules.ts';
import { clockText, longDate, weekdayAndDay } from '../region/dates.rules.ts';
import { TIME_FAULT } from '../region/read-time.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { durationText, moneyText } from '../region/words.rules.ts';
import { keptFields, postForm, unavailable } from '../ui/controls.view.ts';
import { timeInput } from '../ui/fields.view.ts';
import { type Html, html, type Renderable } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import { notice } from '../ui/notice.view.ts';
import { EMPTY_FORM, type FormState, type PageContext } from '../ui/page-context.ts';
import { panel } from '../ui/panel.view.ts';
import { timeIn } from '../ui/times.view.ts';
import { CUSTOMER_FIELDS } from './booking-form.rules.ts';
import type { NextFreeTimes } from './find-free-times.ts';
import { freeTimesList, staffChoice } from './free-times.view.ts';
import type { BookableService, LoadedBooking } from './load-booking.ts';

interface StepOptions {
  query: Partial<BookingQuery>;
  loaded: LoadedBooking;
  body: Renderable;
}

/** A step of a booking, below what is decided already: each of that leads back to its step. */
export function bookingStep(context: PageContext, { query, loaded, body }: StepOptions): string {
  const { service, staff, customer, customerSummary, call, region } = loaded;
  const { date, time, service_id: _service, ...others } = query;
  const isTimed = date !== undefined && time !== undefined;
  const steps = [
    { name: 'Service', chosen: service?.name, href: bookingAddress({ ...others, date, time }) },
    {
      name: 'Time',
      chosen:
        isTimed &&
        `${weekdayAndDay(region, date)}, ${clockText(region, time)}${staff ? ` with ${staff.name}` : ''}`,
      // Which times there are depends on the service.
      href: service && bookingAddress({ ...others, anyway: undefined, service_id: service.id, date }),
    },
    { name: 'Customer', chosen: !(service && isTimed) && customer?.name, href: null },
  ];
  const current = steps.findIndex(({ chosen }) => !chosen);
  return layout(context, {
    title: 'Book an appointment',
    at: '/settings/calendar',
    lead: html`${
      call &&
      html`In the <a href="/settings/calls/${call.id}">call of ${timeIn(region, call.started_at)}</a> · `
    }<a href="${dayAddress({ date, cancelled: undefined })}">Back to the calendar</a>`,
    body: html`<ol class="steps">${steps.map(({ name, chosen, href }, index) => {
      const isCurrent = index === (current === -1 ? steps.length - 1 : current);
      return html`<li${isCurrent && html` aria-current="step"`}><span class="hint">${name}</span>
${chosen ? html`<strong>${chosen}</strong>` : html`<span>${isCurrent ? 'Choose' : '–'}</span>`}${
  chosen &&
  href !== null &&
  html` <a href="${href}">Change<span class="for-reader"> ${name.toLowerCase()}</span></a>`
}</li>`;
    })}</ol>
${
  customerSummary?.customer
    ? html`<div class="for-customer">${body}<div class="narrow-lists">${customerSummaryCard({ customerSummary, region })}</div></div>`
    : body
}`,
  });
}

/**
 * The first step. A service that was asked for and can't be booked is said to be so. `form`: what was sent for it,
 * which goes along to the service that is chosen instead.
 */
export function servicesStep(
  context: PageContext,
  { query, loaded, form }: { query: Partial<BookingQuery>; loaded: LoadedBooking; form?: FormState },
): string {
  const { region, services, unbookable } = loaded;
  return bookingStep(context, {
    query,
    loaded,
    body: panel({
      id: 'service',
      title: 'Which service?',
      body: html`${
        query.service_id !== undefined &&
        services !== null &&
        notice(
          'waiting',
          `${unbookable ?? 'The service you chose'} can’t be booked now. Choose another service.`,
          { role: 'status', isAnswer: form !== undefined },
        )
      }
${
  services === null
    ? unavailable('The services')
    : form
      ? serviceForm(context, { query, services, region, form })
      : serviceList(services, region, serviceLink(query))
}`,
    }),
  });
}

type ServiceChoice = (service: BookableService, words: Html, isFirst: boolean) => Html;

const serviceLink =
  (query: Partial<BookingQuery>): ServiceChoice =>
  ({ id }, words, isFirst) =>
    html`<a href="${bookingAddress({ ...query, service_id: id })}"${
      isFirst && html` autofocus data-focus`
    }>${words}</a>`;

const serviceButton: ServiceChoice = ({ id }, words) =>
  html`<button type="submit" name="service_id" value="${id}">${words}</button>`;

const serviceList = (services: BookableService[], region: Region, choice: ServiceChoice): Html =>
  services.length === 0
    ? html`<p class="empty">Nothing can be booked yet.
<a href="/settings/business/services">See which services there are, and what they lack</a></p>`
    : html`${byCategory(services).map(({ heading, services: grouped }, group) => {
        const options = grouped.map((service, index) =>
          serviceOption(service, region, choice, group + index === 0),
        );
        return html`${heading !== null && html`<h3>${heading}</h3>`}<ul class="options">${options}</ul>`;
      })}`;

function serviceOption(
  service: BookableService,
  region: Region,
  choice: ServiceChoice,
  isFirst: boolean,
): Html {
  const { name, duration_minutes, price, currency } = service;
  const words = html`<strong>${name}</strong>
<span class="hint">${durationText(duration_minutes)} · ${moneyText(region, price, currency)}</span>`;
  return html`<li>${choice(service, words, isFirst)}</li>`;
}

interface ServiceForm {
  query: Partial<BookingQuery>;
  services: BookableService[];
  region: Region;
  form: FormState;
}

function serviceForm(context: PageContext, { query, services, region, form }: ServiceForm): Html {
  const { date, time, staff_id, call_id } = query;
  const hidden = Object.entries({ date, time, staff_id, call_id, do: 'service' });
  return postForm(context, {
    action: BOOKING,
    id: 'booking',
    asksBeforeLeaving: true,
    body: html`${hidden.map(([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`)}
${keptFields(form, CUSTOMER_FIELDS)}
${serviceList(services, region, serviceButton)}`,
  });
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
  /** The refused time is outside the hours. */
  isOutside: boolean;
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
    name,
    href: bookingAddress({ ...query, staff_id: id }),
    isChosen: staff?.id === id,
  }));
  return bookingStep(context, {
    query: { ...query, time: undefined },
    loaded,
    body: panel({
      id: 'time',
      title: refused || from !== today ? 'Free times' : 'Next free times',
      body: html`<p>Clock times in ${region.zone}.</p>
${
  isOther &&
  notice(
    'waiting',
    html`${service.name} can’t be booked with the chosen staff member.
These are the times of others.`,
    { role: 'status' },
  )
}
${refused && notOffered(step, refused, isOpen)}
${choices.length > 2 && staffChoice(choices)}
${dateForm(query, step)}
${freeTimesList({
  region,
  free,
  today,
  from,
  timeOf: ({ date, time }, isFirst) =>
    html`<a class="button" href="${bookingAddress({ ...query, date, time })}"${
      isFirst && html` autofocus data-focus`
    }>${clockText(region, time)}</a>`,
  laterAddress: (date) => bookingAddress({ ...query, date }),
})}`,
    }),
  });
}

const notOffered = (
  { query, service, loaded, loaded: { region }, isOutside }: TimesStep,
  { date, time }: { date: string; time: string },
  isOpen: boolean,
): Html =>
  notice(
    'waiting',
    html`<p>${longDate(region, date)}, ${clockText(region, time)} is not free for ${service.name}${
      loaded.staff && ` with ${loaded.staff.name}`
    }.</p>
${
  isOpen &&
  html`<p><a class="button" href="${bookingAddress({ ...query, service_id: service.id, anyway: '1' })}">Book anyway${
    isOutside && ` (outside ${loaded.staff ? `${loaded.staff.name}’s` : 'the'} hours)`
  }</a></p>
<p>It is refused only if the time is taken.</p>`
}`,
    { role: 'status', look: 'stack' },
  );

const timeForm = (unread: string | undefined): FormState =>
  unread === undefined
    ? EMPTY_FORM
    : { ...EMPTY_FORM, values: { typed_time: unread }, faults: { typed_time: [TIME_FAULT] } };

/** Times from another date on; or one time of it, which may be none of those that are offered. */
const dateForm = (query: Partial<BookingQuery>, { loaded, from, unread }: TimesStep): Html =>
  html`<form method="get" action="${BOOKING}" class="row" aria-label="Another date or time">
${Object.entries(query).map(
  ([name, value]) =>
    value !== undefined && name !== 'date' && html`<input type="hidden" name="${name}" value="${value}">`,
)}
<label class="field">From<input type="date" name="date" value="${from}" min="${loaded.today}" required></label>
${timeInput(loaded.region, timeForm(unread), { name: 'typed_time', label: 'Time', isOptional: true })}
<button type="submit">Show</button></form>`;
