import { type ApiKey, KEY_USE_DAYS } from '@frontdesk/contracts';
import type { Versioned } from '@frontdesk/service';
import { barChart } from '../charts/bars.view.ts';
import { sumOf } from '../charts/chart.rules.ts';
import { dayColumns } from '../charts/columns.rules.ts';
import { scopeList } from '../records/scope-words.view.ts';
import { addDays, dateIn } from '../region/dates.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { countText, plural } from '../region/words.rules.ts';
import { errorMessage, onceField, postForm, unavailable } from '../ui/controls.view.ts';
import { selectInput } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import { notice } from '../ui/notice.view.ts';
import { EMPTY_FORM, type FormState, type PageContext } from '../ui/page-context.ts';
import { card, panel } from '../ui/panel.view.ts';
import { timeIn, timeOr } from '../ui/times.view.ts';
import { changeKeyForm } from './key-form.view.ts';
import { isValid } from './key-status.rules.ts';
import { keyDeletion, keyRevocation, statusBadge } from './keys.view.ts';

const WEEK = 7;

interface KeyPage {
  /** Null where the gateway can't say. */
  key: Versioned<ApiKey> | null;
  /** Requests by UTC day, days without any left out; null as above. */
  use: readonly { day: string; requests: number }[] | null;
  region: Region;
  nowMs: number;
  form: FormState;
  /** What is wrong with a change that has no fields. */
  refusal?: string | undefined;
}

export const keyPage = (context: PageContext, page: KeyPage): string =>
  layout(context, {
    title: 'API key',
    at: '/settings/api',
    lead: html`<a href="/settings/api#keys">Back to API and webhooks</a>`,
    body: html`${errorMessage(page.refusal)}${
      page.key === null
        ? unavailable('The key')
        : keyCards(context, { ...page, key: page.key.record, etag: page.key.etag })
    }`,
  });

type ShownKey = Omit<KeyPage, 'key'> & { key: ApiKey; etag: string };

const keyCards = (context: PageContext, page: ShownKey): Html =>
  html`${summaryCard(context, page)}
${useCard(page)}
${
  page.key.is_active &&
  panel({
    id: 'change',
    isPlace: true,
    title: 'Change the key',
    body: html`<p>Changes take effect at once.</p>
${changeKeyForm(context, page.key, page)}`,
  })
}
${page.key.is_active && page.key.rolled_to === null && isValid(page.key, page.nowMs) && replaceCard(context, page.key)}`;

function summaryCard(context: PageContext, { key, region, nowMs }: ShownKey): Html {
  const { id, name, last_four, scopes, expires_at, networks, rolled_to, last_used_at, created_at } = key;
  return panel({
    id: 'summary',
    title: name,
    beside: statusBadge(key, region, nowMs),
    body: html`${
      rolled_to !== null &&
      notice(
        'waiting',
        html`This key was replaced by <a href="/settings/api/keys/${rolled_to}">another key</a>.${
          isValid(key, nowMs) && html` Switch your program to the new key before this one expires.`
        }`,
      )
    }
<dl class="facts"><dt>Key</dt><dd><code>fd_live_…${last_four}</code></dd>
<dt>Permissions</dt><dd>${scopeList(scopes)}</dd>
<dt>Expires</dt><dd>${timeOr(region, expires_at, 'Never')}</dd>
<dt>Allowed networks</dt><dd>${networks === null ? 'All' : networks.join(', ')}</dd>
<dt>Last used</dt><dd>${timeOr(region, last_used_at, 'Never')}</dd>
<dt>Created</dt><dd>${timeIn(region, created_at)}</dd></dl>
<div class="actions">${key.is_active && keyRevocation(context, id, name)}${keyDeletion(context, id, name)}</div>`,
  });
}

function useCard({ use, region, nowMs }: ShownKey): Html {
  const base = { id: 'use', title: 'Requests' };
  if (use === null) return card({ ...base, body: unavailable('The requests') });
  const all = sumOf(use, ({ requests }) => requests);
  if (all === 0)
    return card({
      ...base,
      body: html`<p class="empty">No requests in the last ${KEY_USE_DAYS} days.</p>`,
    });
  const counted = new Map(use.map(({ day, requests }) => [day, requests]));
  const today = dateIn('UTC', nowMs);
  const days = Array.from({ length: KEY_USE_DAYS }, (_, index) => ({
    date: addDays(today, index - KEY_USE_DAYS + 1),
  }));
  return card({
    ...base,
    figure: {
      value: countText(region, all),
      of: `${all === 1 ? 'request' : 'requests'} in ${plural(region, KEY_USE_DAYS, 'day')}`,
    },
    body: barChart({
      region,
      name: `Requests by day (UTC), the last ${KEY_USE_DAYS} days`,
      columnsAre: 'Day',
      columns: dayColumns(region, days, KEY_USE_DAYS - 1, WEEK),
      series: [{ name: 'Requests', tone: 'main', values: days.map(({ date }) => counted.get(date) ?? 0) }],
      format: (value) => countText(region, value),
    }),
  });
}

/** How long both keys work. */
const OVERLAPS = [
  { value: '0', label: 'Now' },
  { value: '1', label: 'In an hour' },
  { value: '24', label: 'In a day' },
  { value: '168', label: 'In 7 days' },
];

function replaceCard(context: PageContext, key: ApiKey): Html {
  const isAllowed = key.scopes.every((scope) => context.scopes.some((own) => own === scope));
  return panel({
    id: 'replace',
    isPlace: true,
    title: 'Replace the key',
    body: isAllowed
      ? html`<p>You get a new key with the same permissions. Both work until the old key expires, so you have time to change your program.</p>
${postForm(context, {
  action: `/settings/api/keys/${key.id}/roll`,
  look: 'stack',
  label: 'Replace the key',
  body: html`${onceField(context)}${selectInput(
    { ...EMPTY_FORM, values: { hours: '24' } },
    { name: 'hours', label: 'The old key stops working', choices: OVERLAPS },
  )}
<div class="actions"><button type="submit" class="primary">Replace key</button></div>`,
})}`
      : html`<p>Only someone with all permissions of this key can replace it. Ask an owner.</p>`,
  });
}
