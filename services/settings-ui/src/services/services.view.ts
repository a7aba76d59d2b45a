import {
  type Bookability,
  MAX_NAMED_RECORDS,
  type ServiceAdmin,
  type StaffAdmin,
} from '@frontdesk/contracts';
import { bookabilityNotice, serviceState } from '../business/bookability.view.ts';
import { byCategory } from '../records/categories.rules.ts';
import { quotaLine, unlessFull } from '../records/quota.view.ts';
import type { QuotaUse } from '../records/quota-use.rules.ts';
import { businessPage, inOrder, SERVICES } from '../records/record-form.view.ts';
import type { Region } from '../region/region.rules.ts';
import { durationText, moneyText } from '../region/words.rules.ts';
import { unavailable } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import type { PageContext } from '../ui/page-context.ts';
import { mayUse } from '../ui/page-scopes.rules.ts';
import { barePanel } from '../ui/panel.view.ts';
import { table } from '../ui/table.view.ts';

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
    body: html`${bookabilityNotice(context, page.bookability)}${barePanel(
      'Services',
      html`${
        page.services === null ? unavailable('The services') : list(context, page.services, page)
      }${mayUse(context, 'POST', NEW) && quotaLine(page.region, page.quota)}`,
    )}`,
  });

const NEW = `${SERVICES}/new`;

function list(
  context: PageContext,
  services: ServiceAdmin[],
  { region, staff, quota, bookability }: ServicesPage,
): Html {
  const mayChange = mayUse(context, 'POST', NEW);
  const link = html`<p class="actions"><a class="button primary" href="${NEW}">Add a service</a></p>`;
  const add = mayChange && unlessFull(quota, link);
  if (services.length === 0)
    return html`<div class="empty stack">
<p>No services yet.${mayChange && ' Add what customers can book: a haircut, a consultation, a table.'}</p>${add}</div>`;
  return html`${table({
    groups: byCategory(services.toSorted(inOrder)).map(({ heading, services: rows }) => ({ heading, rows })),
    columns: [
      {
        name: 'Service',
        isName: true,
        cell: ({ id, name, description }) =>
          html`<div><a href="${SERVICES}/${id}">${name}</a>${
            description && html`<span class="hint clipped">${description}</span>`
          }</div>`,
      },
      {
        name: 'Duration',
        cell: (service) => html`<div>${durationText(service.duration_minutes)}${buffers(service)}</div>`,
      },
      { name: 'Price', look: 'line', cell: ({ price, currency }) => moneyText(region, price, currency) },
      { name: 'Performed by', cell: (service) => performers(service, staff) },
      { name: 'Status', cell: (service) => html`<div>${serviceState(context, service, bookability)}</div>` },
    ],
    buttons: mayChange && {
      name: 'Actions',
      cell: ({ id, name }) =>
        html`<a class="button quiet" href="${SERVICES}/${id}">Edit<span class="for-reader"> ${name}</span></a>`,
    },
  })}
${
  services.length < MAX_NAMED_RECORDS
    ? add
    : html`<p class="hint">A business can have at most ${MAX_NAMED_RECORDS} services.</p>`
}`;
}

export const buffers = ({
  buffer_before_minutes: before,
  buffer_after_minutes: after,
}: ServiceAdmin): Html | false =>
  before + after > 0 &&
  html`<span class="hint">Buffer ${[before > 0 && `${before} min before`, after > 0 && `${after} min after`]
    .filter(Boolean)
    .join(', ')}</span>`;

/** Who performs it; of more than so many, the first ones by name. */
export function performers({ id }: ServiceAdmin, staff: StaffAdmin[] | null, most = 2): string {
  if (staff === null) return '…';
  if (staff.length === 0) return 'The business';
  const names = staff
    .filter((member) => member.is_active && member.service_ids.includes(id))
    .map(({ name }) => name);
  if (names.length === 0) return 'Nobody';
  return names.length <= most
    ? names.join(', ')
    : `${names.slice(0, most - 1).join(', ')} and ${names.length - most + 1} more`;
}
