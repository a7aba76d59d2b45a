import {
  type CallSource,
  type EndpointAdmin,
  HOLD_SECONDS,
  type OpenHolds,
  type QuotaName,
} from '@frontdesk/contracts';
import { refusedLately } from '../call-sources/refused-messages.view.ts';
import { SOURCES, sourceAddress } from '../records/addresses.rules.ts';
import { CUSTOMERS } from '../records/customers-query.rules.ts';
import { usedText } from '../records/quota.view.ts';
import { isFull } from '../records/quota-use.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { formatsOf } from '../region/region-formats.rules.ts';
import { countText } from '../region/words.rules.ts';
import { type Html, html } from '../ui/html.ts';
import { mayUse, type Who } from '../ui/page-scopes.rules.ts';
import { panel } from '../ui/panel.view.ts';
import type { ShownToday } from './load-today.ts';
import { isNearlyFull, type NearlyFullQuota } from './today.rules.ts';

/** Something that fails or runs out: where, how much of it, and what. */
interface Problem {
  href: string;
  tone: 'bad' | 'waiting';
  count: string;
  what: string;
  hint: string;
}

type Watched = Pick<ShownToday, 'endpoints' | 'sources' | 'quotas' | 'holds' | 'region'>;

/** Those of pages that whoever looks may see. */
export const problemsOf = (who: Who, { endpoints, sources, quotas, holds, region }: Watched): Problem[] =>
  [
    ...endpointProblems(endpoints ?? [], region),
    ...sourceProblems(sources ?? [], region),
    ...(quotas ?? []).map((use) => quotaProblem(use, region)),
    ...holdsProblem(who, holds, region),
  ].filter(({ href }) => mayUse(who, 'GET', href));

/** A line for each, with a link to where it is mended; nothing where all that they may see is known to be well. */
export function attentionCard(who: Who, watched: Watched): Html | false {
  const problems = problemsOf(who, watched);
  const isKnown = watched.endpoints !== null && watched.sources !== null && watched.quotas !== null;
  return (
    (problems.length > 0 || !isKnown) &&
    panel({
      id: 'attention',
      isPlace: true,
      title: 'Needs attention',
      body: html`${problems.length > 0 && html`<ul class="to-do">${problems.map(line)}</ul>`}${
        !isKnown && html`<p class="hint">Not everything can be checked right now. Try again in a moment.</p>`
      }`,
    })
  );
}

const line = ({ href, tone, count, what, hint }: Problem): Html =>
  html`<li><a href="${href}"><span class="count ${tone}">${count}</span> <span class="what">${what} <span
class="hint">${hint}</span></span></a></li>`;

/** One line for all of them: each has a page that says more. */
function endpointProblems(endpoints: readonly EndpointAdmin[], region: Region): Problem[] {
  const broken = endpoints.filter(({ health }) => ['failing', 'disabled'].includes(health.status));
  const [first] = broken;
  if (!first) return [];
  return [
    {
      href: broken.length === 1 ? `/settings/api/webhooks/${first.id}` : '/settings/api#webhooks',
      tone: 'bad',
      count: countText(region, broken.length),
      what: `webhook ${broken.length === 1 ? 'endpoint receives' : 'endpoints receive'} nothing`,
      hint: broken.map(({ url }) => URL.parse(url)?.host ?? url).join(', '),
    },
  ];
}

/** Sources whose latest messages were refused: their calls are missing. */
function sourceProblems(sources: readonly CallSource[], region: Region): Problem[] {
  const refused = sources.filter((source) => refusedLately(source).length > 0);
  const [first] = refused;
  if (!first) return [];
  return [
    {
      href: refused.length === 1 ? sourceAddress(first.id) : SOURCES,
      tone: 'bad',
      count: countText(region, refused.length),
      what: `call ${refused.length === 1 ? 'source is' : 'sources are'} refused, so calls are missing`,
      hint: refused.map(({ name }) => name).join(', '),
    },
  ];
}

const CALENDAR = '/settings/calendar';
const KEYS = '/settings/api#keys';

/** Where records are removed, or seen. */
const PAGE_OF: Readonly<Record<QuotaName, string>> = {
  call_sources: SOURCES,
  call_messages_per_day: SOURCES,
  call_bytes_per_day: SOURCES,
  api_keys: KEYS,
  admins: '/settings/people',
  staff: '/settings/business/staff',
  services: '/settings/business/services',
  customers: CUSTOMERS,
  appointments_per_day: CALENDAR,
  stored_bytes: '/settings/business',
};

const quotaProblem = (use: NearlyFullQuota, region: Region): Problem => ({
  href: PAGE_OF[use.name],
  tone: isFull(use) ? 'bad' : 'waiting',
  count: shareText(region, use.used, use.allowed),
  what: usedText(region, use),
  hint: isFull(use) ? 'Your plan’s limit is reached' : 'Close to your plan’s limit',
});

const shareText = (region: Region, used: number, allowed: number): string =>
  formatsOf(region).shares.format(Math.floor((100 * used) / allowed) / 100);

/** Nobody can have what is held; a program that holds without booking keeps customers away. */
function holdsProblem(who: Who, holds: OpenHolds | null | undefined, region: Region): Problem[] {
  if (!holds || !isNearlyFull(holds)) return [];
  const { open, allowed } = holds;
  const hasKeys = mayUse(who, 'GET', KEYS);
  return [
    {
      href: hasKeys ? KEYS : CALENDAR,
      tone: open >= allowed ? 'bad' : 'waiting',
      count: shareText(region, open, allowed),
      what: `${countText(region, open)} times are held for callers. At most ${countText(region, allowed)} can be.`,
      hint: `Each is booked or free again within ${HOLD_SECONDS.most / 60} minutes. ${
        hasKeys ? 'See when each API key was last used' : 'An owner can see when each API key was last used'
      }; your Frontdesk operator can release all at once.`,
    },
  ];
}
