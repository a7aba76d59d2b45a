import {
  CALL_DIRECTIONS,
  CALL_OUTCOMES,
  CALL_SENTIMENTS,
  type CallListAdminEntry,
} from '@frontdesk/contracts';
import { CALLS, callAddress, SOURCES } from '../records/addresses.rules.ts';
import {
  callerName,
  numberText,
  OUTCOME_WORDS,
  outcomeBadge,
  outcomeBeside,
  sentimentBadge,
  UNANSWERED_WORDS,
} from '../records/call-words.view.ts';
import type { Region } from '../region/region.rules.ts';
import { capitalised, countText, secondsText } from '../region/words.rules.ts';
import { isBackwards } from '../ui/addresses.rules.ts';
import { badge, unavailable } from '../ui/controls.view.ts';
import { describedBy, fieldErrors, options } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { EMPTY_FORM, type PageContext } from '../ui/page-context.ts';
import { hasMore, numberedPager } from '../ui/pager.view.ts';
import { barePanel } from '../ui/panel.view.ts';
import { table } from '../ui/table.view.ts';
import { timeIn } from '../ui/times.view.ts';
import {
  CALLS_PER_PAGE,
  type CallFilter,
  callsAddress,
  isCallFiltered,
  NO_ANSWER,
} from './call-filter.rules.ts';
import { callsFrame } from './calls-page.view.ts';
import type { LoadedCalls } from './load-calls.ts';

type CallsPage = LoadedCalls & { filter: CallFilter };

export const callsPage = (context: PageContext, page: CallsPage): string =>
  callsFrame(context, {
    title: 'Calls',
    part: CALLS,
    lead: `Every call that your phone sources have sent, newest first. Times are in ${page.region.zone}.`,
    body: barePanel(
      'Calls',
      html`${filterForm(page)}
<div id="call-list"${isNewest(page.filter) && html` data-live="${CALLS}/live"`}>${callList(page)}</div>`,
    ),
  });

/** What is looked for among all calls stays as it is while somebody reads it. */
const isNewest = (filter: CallFilter): boolean => !isCallFiltered(filter) && filter.page === undefined;

/** The part of the page that changes by itself, where it begins with the newest call. */
export function callList({ calls, names, sources, filter, region }: CallsPage): Html {
  if (calls === null) return unavailable('The calls');
  if (calls.rows.length === 0) return empty(filter, sources);
  return html`${table({
    rows: calls.rows,
    idOf: ({ id }) => `call-${id}`,
    columns: [
      { name: 'Who', isName: true, cell: (call) => whoPart(call, names, region) },
      { name: 'When', cell: ({ started_at }) => timeIn(region, started_at) },
      {
        name: 'Outcome',
        cell: (call) => html`<div>${outcomeBadge(call)}${call.test && html` ${badge('off', 'Test')}`}</div>`,
      },
      {
        name: 'Sentiment',
        look: ({ sentiment }) => (sentiment === null ? 'nothing' : undefined),
        cell: ({ sentiment }) => (sentiment === null ? '–' : sentimentBadge(sentiment)),
      },
      { name: 'Duration', look: 'duration', cell: ({ duration }) => secondsText(duration) },
      { name: 'Source', cell: ({ source }) => source },
    ],
  })}
${pages(calls, filter, region)}`;
}

function whoPart(call: CallListAdminEntry, names: LoadedCalls['names'], region: Region): Html {
  const name = callerName(region, call, names);
  const number = numberText(region, call);
  const hints = [
    call.direction === 'outbound' && 'Outbound',
    number !== name && number,
    outcomeBeside(call),
    call.called_back && 'Called back',
  ].filter((hint) => hint !== false && hint !== null);
  return html`<div><a href="${callAddress(call.id)}">${name}</a>${
    hints.length > 0 && html`<span class="hint">${hints.join(' · ')}</span>`
  }</div>`;
}

const empty = (filter: CallFilter, sources: LoadedCalls['sources']): Html =>
  filter.page !== undefined && filter.page !== '1'
    ? html`<p class="empty">The list has no page ${filter.page}. <a href="${callsAddress({
        ...filter,
        page: undefined,
      })}">Go to the first page</a></p>`
    : !isNewest(filter)
      ? html`<p class="empty">No calls match. <a href="${CALLS}">Show all calls</a></p>`
      : sources?.length === 0
        ? html`<div class="empty stack">
<p>No calls yet. Connect your phone line or voice agent: its calls appear here as they end, with what was said.</p>
<p class="actions"><a class="button primary" href="${SOURCES}">Connect a call source</a></p></div>`
        : html`<p class="empty">No calls yet. They appear here as they end.${
            sources !== undefined &&
            html` To check that they arrive, <a href="${SOURCES}">make a test call</a>.`
          }</p>`;

function pages(list: NonNullable<LoadedCalls['calls']>, filter: CallFilter, region: Region): Html | false {
  const { page } = filter;
  const first = (Number(page ?? 1) - 1) * CALLS_PER_PAGE + 1;
  const last = first + list.rows.length - 1;
  return numberedPager({
    of: 'calls',
    page,
    goesOn: hasMore(list, page, CALLS_PER_PAGE),
    hrefOf: (to) => callsAddress({ ...filter, page: to }),
    words: `${countText(region, first)}–${countText(region, last)} of ${countText(region, list.total)}`,
  });
}

const ALL = { value: '', label: 'All' };
const ANSWERED = [
  ALL,
  { value: 'true', label: UNANSWERED_WORDS.inbound },
  { value: NO_ANSWER, label: UNANSWERED_WORDS.outbound },
  { value: 'false', label: 'Answered' },
];
const wordsOf = (values: readonly string[]) => [
  ALL,
  ...values.map((value) => ({ value, label: capitalised(value) })),
];
const OUTCOMES = [ALL, ...CALL_OUTCOMES.map((value) => ({ value, label: OUTCOME_WORDS[value] }))];
const TO = { name: 'to' };

function filterForm({ filter, sources, names }: CallsPage): Html {
  const { missed = '', outcome = '', sentiment = '', direction = '', source_id = '', from, to } = filter;
  const isWrong = isBackwards(filter);
  const form = {
    ...EMPTY_FORM,
    faults: { ...(isWrong && { to: ['The last day is before the first day.'] }) },
  };
  const named = (sources ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  // Of a source that is deleted, or while calls is away: the filter stays.
  const isKnown = source_id === '' || named.some(({ value }) => value === source_id);
  const ofSource = [ALL, ...named, ...(isKnown ? [] : [{ value: source_id, label: `Source ${source_id}` }])];
  return html`<details class="filters"${isCallFiltered(filter) && html` open`}><summary>Filter</summary>
<form method="get" action="${CALLS}" class="filter of-calls" aria-label="Filter the calls">
<label>Calls<select name="missed">${options(ANSWERED, missed)}</select></label>
<label>Outcome<select name="outcome">${options(OUTCOMES, outcome)}</select></label>
<label>Sentiment<select name="sentiment">${options(wordsOf(CALL_SENTIMENTS), sentiment)}</select></label>
<label>Direction<select name="direction">${options(wordsOf(CALL_DIRECTIONS), direction)}</select></label>
${sources !== undefined && html`<label>Source<select name="source_id">${options(ofSource, source_id)}</select></label>`}
<label>From<input type="date" name="from" value="${from}"></label>
<label>To<input type="date" name="to" value="${to}"${
    isWrong && html` aria-invalid="true"`
  }${describedBy(form, TO)}></label>
${filter.customer_id !== undefined && ofCustomer(filter.customer_id, names)}
<button type="submit">Filter</button>
${fieldErrors(form, TO)}</form></details>`;
}

/** Only linked to, from a customer's page. */
const ofCustomer = (id: string, names: LoadedCalls['names']): Html =>
  html`<label>Customer<select name="customer_id"><option value="${id}" selected>${
    names?.get(Number(id)) ?? `Customer ${id}`
  }</option><option value="">All</option></select></label>`;
