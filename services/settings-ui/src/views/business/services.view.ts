import {
  type Bookability,
  MAX_NAMED_RECORDS,
  type ServiceAdmin,
  type StaffAdmin,
} from '@frontdesk/contracts';
import type { QuotaUse } from '../../domain/quota-use.ts';
import type { Region } from '../../domain/shared/region.ts';
import { durationText, moneyText } from '../../domain/shared/words.ts';
import { type Html, html } from '../shared/html.ts';
import type { PageContext } from '../shared/page-context.ts';
import { unavailable } from '../shared/parts.ts';
import { quotaLine, unlessFull } from '../shared/quota.view.ts';
import { bookabilityNotice, serviceState } from './bookability.view.ts';
import { businessPage, inOrder, SERVICES } from './frame.view.ts';

interface ServicesPage {
  region: Region;
  services: ServiceAdmin[] | null;
  staff: StaffAdmin[] | null;
  quota: QuotaUse | null;
  /** Null where scheduling can't say in time. */
  bookability: Bookability | null;
}

export const servicesPage = (context: PageContext, page: ServicesPage): string =>
  businessPage(context, {
    title: 'Services',
    part: SERVICES,
    lead: 'What can be booked, how long it takes and what it costs.',
    body: html`${bookabilityNotice(page.bookability)}<section class="card" aria-label="Services">
${page.services === null ? unavailable('The services') : list(page.services, page)}${quotaLine(page.region, page.quota)}</section>`,
  });

function list(services: ServiceAdmin[], { region, staff, quota, bookability }: ServicesPage): Html {
  const link = html`<p class="actions"><a class="button primary" href="${SERVICES}/new">Add a service</a></p>`;
  const add = unlessFull(quota, link);
  if (services.length === 0)
    return html`<div class="empty stack"><p>No services yet. Add what customers can book: a haircut, a consultation, a table.</p>${add}</div>`;
  return html`<table class="list"><thead><tr><th scope="col">Service</th><th scope="col">Duration</th><th scope="col">Price</th><th scope="col">Performed by</th><th scope="col">Status</th><th scope="col"><span class="for-reader">Actions</span></th></tr></thead>
<tbody>${services.toSorted(inOrder).map((service) => row(service, { region, staff, bookability }))}</tbody></table>
${services.length < MAX_NAMED_RECORDS ? add : html`<p class="hint">A business can have at most ${MAX_NAMED_RECORDS} services.</p>`}`;
}

function row(
  service: ServiceAdmin,
  { region, staff, bookability }: Pick<ServicesPage, 'region' | 'staff' | 'bookability'>,
): Html {
  const { id, name, description, duration_minutes, price, currency } = service;
  return html`<tr><th scope="row" data-label="Service"><div><a href="${SERVICES}/${id}">${name}</a>${description && html`<span class="hint clipped">${description}</span>`}</div></th>
<td data-label="Duration"><div>${durationText(duration_minutes)}${buffers(service)}</div></td>
<td data-label="Price">${moneyText(region, price, currency)}</td>
<td data-label="Performed by">${staff === null ? '…' : performers(service, staff)}</td>
<td data-label="Status"><div>${serviceState(service, bookability)}</div></td>
<td class="actions"><a class="button quiet" href="${SERVICES}/${id}">Edit<span class="for-reader"> ${name}</span></a></td></tr>`;
}

const buffers = ({
  buffer_before_minutes: before,
  buffer_after_minutes: after,
}: ServiceAdmin): Html | false =>
  before + after > 0 &&
  html`<span class="hint">Buffer ${[before > 0 && `${before} min before`, after > 0 && `${after} min after`].filter(Boolean).join(', ')}</span>`;

const SHOWN = 3;

function performers({ id }: ServiceAdmin, staff: StaffAdmin[]): string {
  if (staff.length === 0) return 'The business';
  const names = staff
    .filter((member) => member.is_active && member.service_ids.includes(id))
    .map(({ name }) => name);
  if (names.length === 0) return 'Nobody';
  return names.length <= SHOWN
    ? names.join(', ')
    : `${names.slice(0, SHOWN - 1).join(', ')} and ${names.length - SHOWN + 1} more`;
}
