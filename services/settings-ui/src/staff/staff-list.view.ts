import {
  type Bookability,
  MAX_STAFF,
  type ServiceAdmin,
  type StaffAdmin,
  type WeeklyHours,
} from '@frontdesk/contracts';
import { bookabilityNotice, staffState } from '../business/bookability.view.ts';
import { weekStrip } from '../hours/week.view.ts';
import { type Frame, frameOf, hoursInWords } from '../hours/week-picture.rules.ts';
import { face } from '../records/person.view.ts';
import { quotaLine, unlessFull } from '../records/quota.view.ts';
import type { QuotaUse } from '../records/quota-use.rules.ts';
import { businessPage, inOrder, STAFF } from '../records/record-form.view.ts';
import type { Region } from '../region/region.rules.ts';
import { unavailable } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import type { PageContext } from '../ui/page-context.ts';
import { mayUse } from '../ui/page-scopes.rules.ts';
import { barePanel } from '../ui/panel.view.ts';

interface StaffPage {
  region: Region;
  staff: StaffAdmin[] | null;
  quota: QuotaUse | null;
  services: ServiceAdmin[] | null;
  /** Null where scheduling can't say in time. */
  bookability: Bookability | null;
  /** Weekly hours by id; null where scheduling didn't answer in time. */
  hours: ReadonlyMap<number, WeeklyHours> | null;
}

export const staffPage = (context: PageContext, page: StaffPage): string =>
  businessPage(context, {
    title: 'Staff',
    part: STAFF,
    lead: 'Who works here, when, and what they do.',
    body: html`${bookabilityNotice(context, page.bookability)}${barePanel(
      'Staff',
      html`${
        page.staff === null ? unavailable('The staff') : list(context, page.staff, page)
      }${mayUse(context, 'POST', NEW) && quotaLine(page.region, page.quota)}`,
    )}`,
  });

const NEW = `${STAFF}/new`;

function list(context: PageContext, staff: StaffAdmin[], page: StaffPage): Html {
  const mayChange = mayUse(context, 'POST', NEW);
  const link = html`<p class="actions"><a class="button primary" href="${NEW}">Add a staff member</a></p>`;
  const add = mayChange && unlessFull(page.quota, link);
  if (staff.length === 0 && !mayChange)
    return html`<p class="empty">No staff. Customers book the business itself, during its opening hours.</p>`;
  if (staff.length === 0)
    return html`<div class="empty stack">
<p><strong>Skip this if you work alone.</strong> Customers then book the business itself,
one appointment at a time, during its opening hours.</p>
<p>With a team, add each person: everyone gets a calendar of their own,
and works the opening hours until you enter others.</p>${add}</div>`;
  const frame = frameOf([...(page.hours?.values() ?? [])]);
  return html`<ul class="people">${staff.toSorted(inOrder).map((member) => person(context, member, page, frame))}</ul>
${staff.length < MAX_STAFF ? add : html`<p class="hint">A business can have at most ${MAX_STAFF} staff members.</p>`}`;
}

function person(
  context: PageContext,
  member: StaffAdmin,
  { region, services, hours, bookability }: StaffPage,
  frame: Frame,
): Html {
  const { id, name, specialties, service_ids, follows_business_hours } = member;
  const week = hours?.get(id) ?? {};
  const performed = services
    ?.filter((service) => service_ids.includes(service.id))
    .map((service) => service.name);
  return html`<li><div class="person"><h2 class="named">${face(member)}<a href="${STAFF}/${id}">${name}</a></h2>
<p>${staffState(context, member, bookability)}</p>
${specialties.length > 0 && html`<p class="hint">${specialties.join(', ')}</p>`}</div>
<div class="person-week">${
    hours !== null &&
    html`${weekStrip(region, week, frame)}<p>${inWords(region, week)}</p>${
      follows_business_hours && html`<p>Follows the business’s hours</p>`
    }`
  }</div>
<p class="person-services">${performed?.length === 0 ? 'No services' : performed?.join(', ')}</p>
${
  mayUse(context, 'POST', NEW) &&
  html`<a class="button quiet" href="${STAFF}/${id}">Edit<span class="for-reader"> ${name}</span></a>`
}</li>`;
}

function inWords(region: Region, hours: WeeklyHours): string | Html[] {
  const stints = hoursInWords(region, hours);
  if (stints.length === 0) return 'No hours';
  return stints.map((text, index) => html`${index > 0 && ' · '}<span class="stint">${text}</span>`);
}
