import { versionField } from '../records/record-form.view.ts';
import type { Region } from '../region/region.rules.ts';
import { plural } from '../region/words.rules.ts';
import { actionButton, confirmation } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import type { PageContext } from '../ui/page-context.ts';
import { mayUse } from '../ui/page-scopes.rules.ts';
import { panel } from '../ui/panel.view.ts';

interface Ending {
  region: Region;
  kind: 'service' | 'staff member';
  base: string;
  record: { name: string; is_active: boolean; coming_appointments: number };
  etag: string;
}

/** Out of use for a while, or for good. */
export const endCard = (context: PageContext, { kind, region, base, record, etag }: Ending): Html | false =>
  mayUse(context, 'POST', base) &&
  panel({
    id: 'end',
    title: record.is_active ? 'Deactivate or delete' : 'Inactive',
    body: html`<p>${coming(region, record)}</p>
<div class="actions">${
      record.is_active
        ? deactivation(context, { kind, region, base, record, etag })
        : actionButton(context, {
            action: `${base}/activate`,
            name: 'Activate',
            of: record.name,
            fields: versionField(etag),
          })
    }
${deletion(context, { kind, region, base, record, etag })}</div>`,
  });

const coming = (region: Region, { coming_appointments: count }: Ending['record']) =>
  count === 0
    ? 'No upcoming appointments.'
    : `${plural(region, count, 'upcoming appointment')} ${count === 1 ? 'stays' : 'stay'} booked.`;

const deactivation = (context: PageContext, { kind, region, base, record, etag }: Ending): Html =>
  confirmation(context, {
    id: 'deactivate',
    button: 'Deactivate',
    of: record.name,
    title: `Deactivate “${record.name}”?`,
    text: `This ${kind} can’t be booked until you activate it again. ${coming(region, record)}`,
    action: `${base}/deactivate`,
    confirm: 'Deactivate',
    fields: versionField(etag),
    isHarmless: true,
  });

const deletion = (context: PageContext, { kind, region, base, record, etag }: Ending): Html =>
  confirmation(context, {
    id: 'delete',
    button: 'Delete',
    of: record.name,
    title: `Delete “${record.name}”?`,
    text: `This ${kind} is removed for good. ${coming(region, record)} Past appointments are kept.`,
    action: `${base}/delete`,
    confirm: `Delete ${kind}`,
    fields: versionField(etag),
  });
