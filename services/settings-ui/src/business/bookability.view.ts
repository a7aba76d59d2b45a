import type { Bookability, ServiceBookability, StaffBookability } from '@frontdesk/contracts';
import { BUSINESS, OPENING_HOURS, SERVICES, STAFF } from '../records/record-form.view.ts';
import { badge } from '../ui/controls.view.ts';
import { type Html, html, type Renderable } from '../ui/html.ts';
import { mayUse, type Who } from '../ui/page-scopes.rules.ts';

/** How pages say why something can't be booked, with a link to the cure. Scheduling decides. */
interface Reason {
  text: string;
  cure: { href: string; text: string };
}

const because = (text: string, href: string, cure: string): Reason => ({ text, cure: { href, text: cure } });

const NO_OPENING_HOURS = because(
  'The business has no opening hours.',
  `${OPENING_HOURS}#hours`,
  'Enter opening hours',
);
const NOTICE_BEYOND_HORIZON = because(
  'The minimum notice is longer than the days bookable ahead.',
  `${BUSINESS}#booking`,
  'Change the booking rules',
);

/** Null where there is nothing to cure: it can be booked, or was taken out of use. */
function reasonOfService({ id, obstacle, staff_ids }: ServiceBookability): Reason | null {
  const href = `${SERVICES}/${id}`;
  const [only, ...others] = staff_ids;
  const hours = only !== undefined && others.length === 0 ? `${STAFF}/${only}#hours` : STAFF;
  const performers = [`${href}#performers`, 'Choose who performs it'] as const;
  switch (obstacle) {
    case null:
    case 'inactive':
      return null;
    case 'nobody_performs':
      return because('Nobody performs it.', ...performers);
    case 'performers_inactive':
      return because('Everyone who performs it is inactive.', ...performers);
    case 'no_hours':
      return because('Nobody who performs it has working hours.', hours, 'Enter their hours');
    case 'no_opening_hours':
      return NO_OPENING_HOURS;
    case 'too_long':
      return because(
        'It takes longer than anyone who performs it works without a break.',
        href,
        'Change how long it takes',
      );
    case 'notice_beyond_horizon':
      return NOTICE_BEYOND_HORIZON;
  }
}

function reasonOfStaff({ id, obstacle }: StaffBookability): Reason | null {
  const href = `${STAFF}/${id}`;
  switch (obstacle) {
    case null:
    case 'inactive':
      return null;
    case 'no_services':
      return because('Performs no active service.', `${href}#details`, 'Choose services');
    case 'no_hours':
      return because('Has no working hours.', `${href}#hours`, 'Enter hours');
    case 'no_opening_hours':
      return NO_OPENING_HOURS;
    case 'hours_too_short':
      return because(
        'Each of their services takes longer than they work without a break.',
        `${href}#hours`,
        'Change their hours',
      );
    case 'notice_beyond_horizon':
      return NOTICE_BEYOND_HORIZON;
  }
}

/** For whoever may cure it. */
const cureLink = (who: Who, { href, text }: Reason['cure'], of?: string): Html | false =>
  mayUse(who, 'POST', href) &&
  html` <a href="${href}">${text}${of && html`<span class="for-reader">, ${of}</span>`}</a>`;

/** Whether it can be booked, and why not. Without an answer of scheduling nothing is claimed. */
function state(
  who: Who,
  { name, is_active }: Subject,
  { isKnown, reason }: { isKnown: boolean; reason: Reason | null },
) {
  if (!is_active) return badge('off', 'Inactive');
  if (!isKnown) return badge('off', 'Active');
  if (reason === null) return badge('good', 'Bookable');
  return html`${badge('waiting', 'Not bookable')} <span class="why">${reason.text}${cureLink(who, reason.cure, name)}</span>`;
}

type Subject = { id: number; name: string; is_active: boolean };

const entryOf = <Entry extends { id: number }>(entries: Entry[] | undefined, { id }: Subject) =>
  entries?.find((entry) => entry.id === id);

export function serviceState(who: Who, service: Subject, bookability: Bookability | null): Html {
  const entry = entryOf(bookability?.services, service);
  const reason = entry ? reasonOfService(entry) : null;
  return state(who, service, { isKnown: entry !== undefined, reason });
}

export function staffState(who: Who, member: Subject, bookability: Bookability | null): Html {
  const entry = entryOf(bookability?.staff, member);
  const reason = entry ? reasonOfStaff(entry) : null;
  return state(who, member, { isKnown: entry !== undefined, reason });
}

/** Reasons that are listed. */
const SHOWN = 3;

/** What can't be booked, with its cures; nothing where all that is active can be. */
export function bookabilityNotice(who: Who, bookability: Bookability | null): Html | false {
  if (bookability === null) return false;
  const { obstacle, services } = bookability;
  if (obstacle === 'no_services')
    return notice(
      html`<p><strong>Nothing can be booked yet:</strong> there are no services.${cureLink(who, {
        href: `${SERVICES}/new`,
        text: 'Add a service',
      })}</p>`,
    );
  if (obstacle === 'all_inactive')
    return notice(
      html`<p><strong>Nothing can be booked:</strong> every service is inactive.${cureLink(who, {
        href: SERVICES,
        text: 'Activate one',
      })}</p>`,
    );
  const reasons = groupedReasons(services);
  if (reasons.length === 0) return false;
  const more = reasons.length - SHOWN;
  const what = obstacle === null ? 'Some services can’t be booked.' : 'No service can be booked.';
  return notice(html`<p><strong>${what}</strong></p>
<ul>${reasons
    .slice(0, SHOWN)
    .map(
      ({ names, reason }) =>
        html`<li>${names.join(', ')}: ${lowered(reason.text)}${cureLink(who, reason.cure, names.join(', '))}</li>`,
    )}
${more > 0 && html`<li><a href="${SERVICES}">${more} more</a></li>`}</ul>`);
}

const notice = (body: Renderable): Html =>
  html`<section class="notice waiting cures" aria-label="What can’t be booked">${body}</section>`;

const lowered = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** Services that the same step cures share a line. */
function groupedReasons(services: readonly ServiceBookability[]): { names: string[]; reason: Reason }[] {
  const groups = new Map<string, { names: string[]; reason: Reason }>();
  for (const service of services) {
    const reason = reasonOfService(service);
    if (reason === null) continue;
    groups
      .getOrInsertComputed(`${service.obstacle} ${reason.cure.href}`, () => ({ names: [], reason }))
      .names.push(service.name);
  }
  return [...groups.values()];
}
