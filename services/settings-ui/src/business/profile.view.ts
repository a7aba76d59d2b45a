import { MAX_LENGTH, type TenantView } from '@frontdesk/contracts';
import type { Versioned } from '@frontdesk/service';
import { BUSINESS, recordForm, versionField } from '../records/record-form.view.ts';
import { recordState } from '../records/record-state.ts';
import { clockIn, clockText } from '../region/dates.rules.ts';
import { regionOf } from '../region/region.rules.ts';
import { capitalised } from '../region/words.rules.ts';
import { confirmation, unavailable } from '../ui/controls.view.ts';
import { inputField, selectInput } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { EMPTY_FORM, type FormState, isSent, type PageContext } from '../ui/page-context.ts';
import { panel } from '../ui/panel.view.ts';

export type VersionedTenant = Versioned<TenantView>;

/** What the business is: its name, and whose clocks and whose money it goes by. */
export const profileCard = (context: PageContext, form: FormState, tenant: VersionedTenant | null): Html =>
  panel({
    id: 'profile',
    isPlace: true,
    title: 'Profile',
    body: html`${
      tenant === null
        ? html`${unavailable('The profile')}${isSent(form) && nameForm(context, recordState(form, null))}`
        : profile(context, form, tenant)
    }`,
  });

function profile(context: PageContext, form: FormState, { record, etag }: VersionedTenant): Html {
  const { name, timezone, currency, country, plan } = record;
  const clock = clockIn(regionOf({ tenant: record }), Date.now());
  return html`${nameForm(context, recordState(form, { etag, values: { name } }))}
<dl class="facts">
<dt>Time zone</dt>
<dd><span>${timezone}, where it is ${clock} now</span> ${zoneChange(context, record, etag)}</dd>
<dt>Currency</dt><dd>${nameOf('currency', currency)} (${currency})<span class="hint">Can’t be changed:
prices and bookings are in it.</span></dd>
<dt>Country</dt><dd>${nameOf('region', country)}<span class="hint">Can’t be changed:
it decides how phone numbers, dates, times and amounts are read and written.</span></dd>
<dt>Plan</dt><dd>${capitalised(plan)}<span class="hint">Your Frontdesk operator can change it.</span></dd></dl>`;
}

const nameForm = (context: PageContext, form: FormState): Html =>
  html`<div class="short">${recordForm(context, form, {
    action: `${BUSINESS}/profile`,
    id: 'profile-form',
    isRecord: true,
    record: 'profile',
    submit: 'Save name',
    body: inputField(form, { name: 'name', label: 'Name of the business', maxLength: MAX_LENGTH.name }),
  })}</div>`;

const nameOf = (type: 'currency' | 'region', code: string) =>
  new Intl.DisplayNames(['en'], { type }).of(code) ?? code;

const zoneChange = (context: PageContext, tenant: TenantView, etag: string): Html => {
  const { timezone } = tenant;
  const form = { ...EMPTY_FORM, values: { timezone } };
  return confirmation(context, {
    id: 'change-timezone',
    button: 'Change',
    of: 'the time zone',
    title: 'Change the time zone?',
    text: html`Booked appointments keep their moment in time:
one at ${clockText(regionOf({ tenant }), '10:00')} in ${timezone} will show a different time.
Hours, dates and time off keep their clock times, in the new zone.`,
    action: `${BUSINESS}/timezone`,
    confirm: 'Change time zone',
    isHarmless: true,
    fields: html`${versionField(etag, 'profile')}
${selectInput(form, { name: 'timezone', label: 'New time zone', choices: zonesWith(timezone) })}`,
  });
};

const ZONES = Intl.supportedValuesOf('timeZone');

/** The one that is set may go by an older name. */
const zonesWith = (zone: string) =>
  (ZONES.includes(zone) ? ZONES : [zone, ...ZONES]).map((value) => ({
    value,
    label: value.replaceAll('_', ' '),
  }));
