import { type Customer, MAX_LENGTH } from '@frontdesk/contracts';
import type { Versioned } from '@frontdesk/service';
import { drawnOf, drawnText } from '../forms/merged-form.rules.ts';
import { SEGMENT_WORDS, sourceWords } from '../records/customer-words.view.ts';
import { CUSTOMERS, customerAddress, mergeAddress, type Segment } from '../records/customers-query.rules.ts';
import { versionField } from '../records/record-form.view.ts';
import { dateIn } from '../region/dates.rules.ts';
import { phoneText } from '../region/phone-text.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { plural } from '../region/words.rules.ts';
import { badge, confirmation, postForm, unavailable } from '../ui/controls.view.ts';
import { type Html, html, type Renderable } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import { notice } from '../ui/notice.view.ts';
import { type FormState, isSent, type PageContext, textOf } from '../ui/page-context.ts';
import { panel } from '../ui/panel.view.ts';
import { table } from '../ui/table.view.ts';
import { dayIn } from '../ui/times.view.ts';
import type { FoundCustomer } from './find-customers.ts';
import type { Belongings, OtherCustomer } from './load-merge.ts';
import {
  areTooLong,
  type Candidate,
  commonFields,
  drawnValues,
  type MergeChoice,
  mergeChoices,
  type Sameness,
  type Side,
} from './merge.rules.ts';

interface OnePage {
  /** The customer whose page this is: the one who stays. */
  own: Versioned<Customer>;
  region: Region;
}

interface ChooseOtherPage extends OnePage {
  /** Who may be the same person, and who is found by `q`; null where crm can't say in time. */
  candidates: Candidate[] | null;
  found: FoundCustomer[] | null;
  q: string | undefined;
  /** Somebody is chosen who can't be. */
  hasChosen: boolean;
}

const back = ({ id, name }: Customer) => html`<a href="${customerAddress(id)}">Back to ${name}</a>`;

export const chooseOtherPage = (context: PageContext, page: ChooseOtherPage): string => {
  const { id, name, phone } = page.own.record;
  const { q, region } = page;
  return layout(context, {
    title: 'Merge with another customer',
    at: CUSTOMERS,
    lead: back(page.own.record),
    body: html`${
      page.hasChosen &&
      notice('bad', 'This customer can’t be merged, or isn’t there any more. Choose another one.', {
        role: 'alert',
        isAnswer: true,
      })
    }${panel({
      id: 'other',
      title: `Who is the same person as ${name}?`,
      body: html`<p>${name} (${phoneText(region, phone)}) and the customer you choose become one. Next you choose which details
stay.</p>
<form method="get" action="${mergeAddress(id)}" class="filter find alone" role="search" aria-label="Find the other customer">
<label class="wide">Search<input type="search" name="q" value="${q}" maxlength="${MAX_LENGTH.search}" spellcheck="false"
autocomplete="off" placeholder="Name, email or phone number"></label><button type="submit">Search</button></form>
${q === undefined ? suggestions(page) : results(page)}`,
    })}`,
  });
};

const SAMENESS_WORDS: Record<Sameness, string> = {
  email: 'Same email',
  name: 'Same name',
  similar: 'Similar name',
};

function suggestions({ candidates, own, region }: ChooseOtherPage): Html {
  if (candidates === null) return unavailable('Customers with similar names');
  if (candidates.length === 0)
    return html`<p class="empty">Nobody has a similar name or the same email. Search for the other customer above.</p>`;
  return html`<h3>Suggestions</h3>${otherTable(own.record, region, candidates, ({ sameness }) => SAMENESS_WORDS[sameness])}`;
}

function results({ found, own, region }: ChooseOtherPage): Html {
  if (found === null) return unavailable('The customers');
  if (found.length === 0)
    return html`<p class="empty">No other customer matches. <a href="${mergeAddress(own.record.id)}">Show suggestions</a></p>`;
  return html`<p class="hint" role="status">${plural(region, found.length, 'customer')} found</p>
${otherTable(own.record, region, found, ({ is_similar }) => is_similar && SAMENESS_WORDS.similar)}`;
}

const otherTable = <Other extends FoundCustomer>(
  { id }: Customer,
  region: Region,
  rows: Other[],
  why: (other: Other) => Renderable,
): Html =>
  table({
    rows,
    isCompact: true,
    columns: [
      {
        name: 'Customer',
        isName: true,
        cell: ({ name, email }) =>
          html`<div>${name}${email && html`<span class="hint">${email}</span>`}</div>`,
      },
      { name: 'Phone', cell: ({ phone }) => phoneText(region, phone) },
      rows.some(why) && { name: 'Match', cell: why },
    ],
    buttons: {
      name: 'Actions',
      cell: (other) =>
        html`<a class="button quiet" href="${mergeAddress(id, other.id)}">Choose<span class="for-reader">
${other.name}</span></a>`,
    },
  });

interface MergePage extends OnePage {
  other: OtherCustomer;
  /** The one who was chosen is part of this other one by now. */
  isPartOf: boolean;
  form: FormState;
}

/** Enter presses the first button of a form: here it is one that sends nothing, as nobody is merged before the question. */
export function mergePage(context: PageContext, page: MergePage): string {
  const { own, other, form } = page;
  return layout(context, {
    title: 'Merge two customers',
    at: CUSTOMERS,
    lead: back(own.record),
    body: html`${
      page.isPartOf &&
      notice(
        'waiting',
        html`The customer you chose has been merged into <bdi>${other.record.name}</bdi> meanwhile. Nothing is merged yet: if
<bdi>${other.record.name}</bdi> is the same person too, choose which details stay.`,
        { role: 'alert', isAnswer: true },
      )
    }${postForm(context, {
      action: mergeAddress(own.record.id),
      id: 'merge-form',
      look: 'stack',
      state: form,
      body: html`<button type="submit" formmethod="dialog" hidden></button>
<input type="hidden" name="merged_id" value="${other.record.id}">${versionField(own.etag)}
<input type="hidden" name="merged_version" value="${other.etag}">
<input type="hidden" name="drawn" value="${drawnText(drawnValues(own.record, other.record))}">
${details(context, page)}`,
    })}`,
  });
}

function details(context: PageContext, page: MergePage): Html {
  const { own, other, region, form } = page;
  const sent = isSent(form) ? form.values : {};
  const drawn = drawnOf(textOf(form, 'drawn'));
  const choices = mergeChoices(own.record, other.record, { sent, drawn });
  const moves = movesText(page);
  return panel({
    id: 'details',
    title: 'Which details stay?',
    body: html`<div class="merging choice-cards"><div class="sides">${side(page, own.record, 'own')}${side(page, other.record, 'other')}</div>
${choices.map((choice) => choiceGroup(region, choice))}</div>
${common(page)}
<p>${moves} <strong>This can’t be undone.</strong></p>
<div class="actions">${confirmation(context, {
      id: 'merge',
      button: 'Merge customers',
      of: '',
      look: 'primary',
      title: 'Merge these two customers?',
      text: html`${moves} This can’t be undone.`,
      confirm: 'Merge customers',
    })}<a class="button" href="${customerAddress(own.record.id)}">Cancel</a></div>`,
  });
}

/** Who it is, what becomes of them, and what is theirs. */
const side = ({ own, other, region }: MergePage, customer: Customer, which: Exclude<Side, 'both'>): Html =>
  html`<div class="side"><p>${which === 'own' ? badge('good', 'Stays') : badge('waiting', 'Goes')}</p>
<p><a href="${customerAddress(customer.id)}">${customer.name}</a><span class="hint">Added ${dayIn(
    region,
    dateIn(region.zone, customer.created_at),
  )}, ${sourceWords(customer.source)}</span></p>${
    which === 'other' &&
    html`<p><a class="button quiet" href="${mergeAddress(other.record.id, own.record.id)}">Keep this one instead</a></p>`
  }</div>`;

const FIELD_WORDS: Record<MergeChoice['field'], string> = {
  name: 'Name',
  phone: 'Phone',
  email: 'Email',
  segment: 'Segment',
  pipeline_stage: 'Pipeline stage',
  notes: 'Notes',
};

const SIDE_WORDS: Record<Side, string> = {
  own: 'Of the one who stays',
  other: 'Of the one who goes',
  both: 'One below the other',
};

function choiceGroup(region: Region, { field, name, options, chosen, isNew }: MergeChoice): Html {
  const hint = hintOf(field, options);
  return html`<fieldset class="choices"${hint && html` aria-describedby="${field}-hint"`}><legend>${FIELD_WORDS[field]}${
    isNew && html` ${badge('waiting', 'Changed')}`
  }</legend>
${options.map(
  ({ side, value, text }) =>
    html`<label class="check"><input type="radio" name="${name}" value="${value}"${value === chosen && html` checked`}>
<span>${
      side === 'both' ? 'Keep both' : html`<span class="as-typed">${wordsOf(region, field, text)}</span>`
    }<span class="hint ${side !== 'both' && 'whose'}">${SIDE_WORDS[side]}</span></span></label>`,
)}${hint && html`<p class="hint" id="${field}-hint">${hint}</p>`}</fieldset>`;
}

function hintOf(field: MergeChoice['field'], options: MergeChoice['options']): string | false {
  if (field === 'phone') return 'Calls from the other number will belong to this customer too.';
  return (
    field === 'notes' &&
    areTooLong(options) &&
    'Together they are too long to keep both. What is not chosen is deleted.'
  );
}

function wordsOf(region: Region, field: MergeChoice['field'], text: string): Renderable {
  if (text === '') return html`<span class="hint">None</span>`;
  if (field === 'phone') return phoneText(region, text);
  return field === 'segment' ? SEGMENT_WORDS[text as Segment] : text;
}

function common({ own, other, region }: MergePage): Html | false {
  const fields = commonFields(own.record, other.record);
  return (
    fields.length > 0 &&
    html`<h3>The same for both</h3><dl>${fields.map(
      ({ field, text }) =>
        html`<dt>${FIELD_WORDS[field]}</dt><dd class="as-typed">${wordsOf(region, field, text)}</dd>`,
    )}</dl>`
  );
}

/** What will belong to whom. Two of the same name are told apart by their numbers. */
function movesText({ own, other, region }: MergePage): Html {
  // Isolated: the direction in which a name is written turns no other word round.
  const called = ({ name, phone }: Customer) =>
    own.record.name === other.record.name
      ? html`<bdi>${name}</bdi> (${phoneText(region, phone)})`
      : html`<bdi>${name}</bdi>`;
  const [stays, goes] = [called(own.record), called(other.record)];
  const what = belongingsText(region, other.belongings);
  return what === null
    ? html`${goes} has no appointments or calls.`
    : html`${what} of ${goes} will belong to ${stays}.`;
}

function belongingsText(region: Region, { appointments, calls }: Belongings): string | null {
  if (appointments === null || calls === null) return 'All appointments and calls';
  const counted = ({ total, total_is_estimate }: typeof appointments, noun: string) =>
    total === 0 ? [] : `${total_is_estimate ? 'about ' : ''}${plural(region, total, noun)}`;
  const words = [counted(appointments, 'appointment'), counted(calls, 'call')].flat();
  return words.length === 0 ? null : words.join(' and ');
}
