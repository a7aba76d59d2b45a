import {
  type Bookability,
  MAX_STAFF,
  type ServiceAdmin,
  type StaffAdmin,
  type WeeklyHours,
} from '@frontdesk/contracts';
import { type Frame, frameOf, hoursInWords } from '../../domain/business/week-picture.ts';
import type { QuotaUse } from '../../domain/quota-use.ts';
import type { Region } from '../../domain/shared/region.ts';
import { type Html, html } from '../shared/html.ts';
import type { PageContext } from '../shared/page-context.ts';
import { unavailable } from '../shared/parts.ts';
import { quotaLine, unlessFull } from '../shared/quota.view.ts';
import { bookabilityNotice, staffState } from './bookability.view.ts';
import { businessPage, inOrder, STAFF } from './frame.view.ts';
import { weekStrip } from './week.view.ts';

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
    body: html`${bookabilityNotice(page.bookability)}<section class="card" aria-label="Staff">
${page.staff === null ? unavailable('The staff') : list(page.staff, page)}${quotaLine(page.region, page.quota)}</section>`,
  });

function list(staff: StaffAdmin[], page: StaffPage): Html {
  const link = html`<p class="actions"><a class="button primary" href="${STAFF}/new">Add a staff member</a></p>`;
  const add = unlessFull(page.quota, link);
  if (staff.length === 0)
    return html`<div class="empty stack"><p>No staff yet, so the business itself is booked, one appointment at a time, during its opening hours. Add people to give each of them their own appointments; they work the opening hours until you give them others.</p>${add}</div>`;
  const frame = frameOf([...(page.hours?.values() ?? [])]);
  return html`<ul class="people">${staff.toSorted(inOrder).map((member) => person(member, page, frame))}</ul>
${staff.length < MAX_STAFF ? add : html`<p class="hint">A business can have at most ${MAX_STAFF} staff members.</p>`}`;
}

function person(member: StaffAdmin, { region, services, hours, bookability }: StaffPage, frame: Frame): Html {
  const { id, name, specialties, service_ids, follows_business_hours } = member;
  const week = hours?.get(id) ?? {};
  const performed = services
    ?.filter((service) => service_ids.includes(service.id))
    .map((service) => service.name);
  return html`<li><div class="person"><h2><a href="${STAFF}/${id}">${name}</a></h2><p>${staffState(member, bookability)}</p>
${specialties.length > 0 && html`<p class="hint">${specialties.join(', ')}</p>`}</div>
<div class="person-week">${hours !== null && html`${weekStrip(region, week, frame)}<p>${inWords(region, week)}</p>${follows_business_hours && html`<p>Follows the business’s hours</p>`}`}</div>
<p class="person-services">${performed?.length === 0 ? 'No services' : performed?.join(', ')}</p>
<a class="button quiet" href="${STAFF}/${id}">Edit<span class="for-reader"> ${name}</span></a></li>`;
}

function inWords(region: Region, hours: WeeklyHours): string | Html[] {
  const stints = hoursInWords(region, hours);
  if (stints.length === 0) return 'No hours';
  return stints.map((text, index) => html`${index > 0 && ' · '}<span class="stint">${text}</span>`);
}
