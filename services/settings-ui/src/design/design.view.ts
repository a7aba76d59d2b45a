import { dayBody } from '../calendar/day.view.ts';
import { face, personOf } from '../records/person.view.ts';
import { NO_REGION } from '../region/region.rules.ts';
import { colorField } from '../staff/staff-member.view.ts';
import {
  actionButton,
  badge,
  code,
  confirmation,
  copyable,
  postForm,
  unavailable,
} from '../ui/controls.view.ts';
import {
  amountInput,
  checkboxGroup,
  dateInput,
  flagInput,
  inputField,
  radioGroup,
  selectInput,
  textArea,
  timeInput,
} from '../ui/fields.view.ts';
import { type Html, html, type Renderable } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import { PLACES } from '../ui/navigation.rules.ts';
import { notice } from '../ui/notice.view.ts';
import { NOTICES } from '../ui/notices.rules.ts';
import { EMPTY_FORM, type FormState, type PageContext } from '../ui/page-context.ts';
import { pager } from '../ui/pager.view.ts';
import { card, panel } from '../ui/panel.view.ts';
import { table } from '../ui/table.view.ts';
import { SAMPLE_DAY } from './sample-day.ts';

export const DESIGN = '/settings/design';

/** Every part that pages are made of, by the functions that pages call. */
export const designPage = (context: PageContext): string =>
  layout(
    { ...context, notice: NOTICES['appointment-cancelled'] },
    {
      title: 'Design',
      lead: 'All parts of the pages, in the state that each can be in.',
      undo: sampleUndo(context),
      action: html`<a class="button primary" href="${DESIGN}">What is done most here</a>`,
      body: html`${part('Colours', colors())}
${part('Type', type())}
${part('Spacing', spacing())}
${part('Controls', controls(context))}
${part('Fields', fields(context))}
${part('States', states(context))}
${part('People', people())}
${part('Tiles', tiles())}
${part('Tables', tables(context))}
${part('Notices and toasts', notices(context))}
${part('Navigation', navigation())}
${card({
  id: 'panels',
  title: 'A panel with a figure',
  figure: { value: '12', of: 'appointments today' },
  more: html`<a href="${DESIGN}">All of them</a>`,
  body: html`<p>What the figure is made of.</p>`,
})}`,
    },
  );

const part = (title: string, body: Renderable): Html =>
  panel({ id: title.toLowerCase().replaceAll(' ', '-'), title, isPlace: true, body });

const COLORS = [
  'ground',
  'surface',
  'raised',
  'text',
  'soft',
  'line',
  'control',
  'accent',
  'on-accent',
  'good',
  'good-ground',
  'bad',
  'bad-ground',
  'waiting',
  'waiting-ground',
];

const colors = (): Html =>
  html`<ul class="options">${COLORS.map(
    (name) =>
      html`<li><svg width="100%" height="40" aria-hidden="true"><rect width="100%" height="40" rx="6"
fill="var(--${name})" stroke="var(--line)"/></svg> <code>--${name}</code></li>`,
  )}</ul>`;

const type = (): Html =>
  html`<h2>A part of a page</h2><h3>A group in it</h3>
<p>What people read, with <strong>what matters</strong>, <a href="${DESIGN}">a link</a> and <code>code</code>.</p>
<p class="hint">What is said beside it.</p>
<p class="as-typed">What somebody typed,
line by line.</p>`;

const spacing = (): Html =>
  html`<ul class="entries">${[4, 8, 12, 16, 20, 24].map(
    (pixels) =>
      html`<li><code>${pixels / 16}rem</code><svg width="${pixels * 8}" height="12" aria-hidden="true">
<rect width="${pixels}" height="12" fill="var(--accent)"/></svg></li>`,
  )}</ul>`;

const controls = (context: PageContext): Html =>
  html`<div class="actions"><button type="button" class="primary">Primary</button><button type="button">Plain</button>
<button type="button" class="quiet">Quiet</button><button type="button" class="danger">Dangerous</button>
<button type="button" class="danger solid">Confirmed</button><button type="button" aria-busy="true">Busy</button>
<a class="button" href="${DESIGN}">A link</a>
${actionButton(context, { action: DESIGN, name: 'At once', of: 'a sample' })}
${confirmation(context, {
  id: 'sample-confirmation',
  button: 'Asks first',
  of: 'a sample',
  title: 'Delete this sample?',
  text: 'A dialog says what becomes of it.',
  action: DESIGN,
  confirm: 'Delete sample',
})}</div>
${copyable('a sample', 'fd_live_sample')}
${code('A sample', '{ "id": 1 }')}`;

const CHOICES = [
  { value: 'a', label: 'The first' },
  { value: 'b', label: 'The second', hint: 'With something to know about it.' },
];
const SAMPLE: FormState = { ...EMPTY_FORM, values: { text: 'Typed', select: 'b', radio: 'a', boxes: ['a'] } };

const fields = (context: PageContext): Html =>
  postForm(context, {
    action: DESIGN,
    look: 'stack',
    label: 'Sample fields',
    body: html`<div class="fields">${inputField(SAMPLE, { name: 'text', label: 'Text', suggestions: ['Offered'] })}
${inputField(SAMPLE, { name: 'optional', label: 'Optional text', isOptional: true, hint: 'What it is for.' })}
${amountInput(SAMPLE, { name: 'amount', label: 'Amount' })}${dateInput(SAMPLE, { name: 'date', label: 'Date' })}
${timeInput(NO_REGION, SAMPLE, { name: 'time', label: 'Time' })}
${selectInput(SAMPLE, { name: 'select', label: 'One of a list', choices: CHOICES })}</div>
${textArea(SAMPLE, { name: 'area', label: 'Longer text' })}
${radioGroup(SAMPLE, { name: 'radio', label: 'One of several', choices: CHOICES })}
${checkboxGroup(SAMPLE, { name: 'boxes', label: 'Any of several', choices: CHOICES })}
${flagInput(SAMPLE, { name: 'flag', label: 'Yes or no' })}
<div class="actions"><button type="submit" class="primary">Save sample</button></div>`,
  });

const WRONG: FormState = {
  values: { wrong: 'Typed' },
  faults: { wrong: ['This is what is wrong.'] },
  message: 'What is wrong with all of it.',
};
const CLASHING: FormState = { ...EMPTY_FORM, clashes: { clash: { mine: 'Anna', theirs: 'Anne' } } };

const states = (context: PageContext): Html =>
  html`${postForm(context, {
    action: DESIGN,
    label: 'A refused form',
    look: 'stack',
    state: WRONG,
    body: inputField(WRONG, { name: 'wrong', label: 'Refused' }),
  })}
${inputField(CLASHING, { name: 'clash', label: 'Changed by two people' })}
${postForm(
  { ...context, isSuspended: true },
  {
    action: DESIGN,
    label: 'A form of a suspended business',
    look: 'row',
    body: html`${inputField(EMPTY_FORM, { name: 'suspended', label: 'Suspended' })}<button type="submit">Save</button>`,
  },
)}
${unavailable('This part')}
<p class="empty">Nothing here yet, and <a href="${DESIGN}">what to do about it</a>.</p>`;

const people = (): Html =>
  html`<ul class="chips">${SAMPLE_DAY.columns.map(
    (column) => html`<li class="named">${face(personOf(column))} ${column.name}</li>`,
  )}</ul>
<form aria-label="Sample colours">${colorField({ ...EMPTY_FORM, values: { color: 'teal' } })}</form>`;

const tiles = (): Html =>
  dayBody({
    tenant: null,
    region: NO_REGION,
    days: [SAMPLE_DAY],
    customers: new Map([[1, 'Grace Wilson-Montgomery']]),
    phones: new Map([[1, '+493012345678']]),
    date: SAMPLE_DAY.date,
    today: SAMPLE_DAY.date,
    showsCancelled: true,
    now: Date.parse(SAMPLE_DAY.starts_at),
    canBook: false,
  });

const BADGES = [
  badge('good', 'Good'),
  badge('bad', 'Bad'),
  badge('waiting', 'Waiting'),
  badge('off', 'Off'),
] as const;

const tables = (context: PageContext): Html =>
  html`${table({
    groups: [
      { heading: 'A group', rows: BADGES.slice(0, 2) },
      { heading: 'Another', rows: BADGES.slice(2) },
    ],
    columns: [
      {
        name: 'Name',
        isName: true,
        cell: () =>
          html`<div><a href="${DESIGN}">A record</a><span class="hint clipped">what is said about it</span></div>`,
      },
      { name: 'State', cell: (state) => state },
    ],
    buttons: {
      name: 'Actions',
      cell: () => actionButton(context, { action: DESIGN, name: 'Pause', of: 'a record' }),
    },
  })}
${pager({
  of: 'samples',
  back: { href: DESIGN, name: 'Newer' },
  on: { href: DESIGN, name: 'Older' },
  words: '1–4 of 12',
})}`;

const notices = (context: PageContext): Html =>
  html`<p>What is said of a page stands above it, or where it belongs.</p>
${notice('good', 'What was done.')}${notice('waiting', 'What to know.')}${notice('bad', 'What is wrong.')}
<p>A toast is at the end of the window, with the way back:</p>
${sampleUndo(context)}`;

const sampleUndo = (context: PageContext): Html =>
  actionButton(context, { action: DESIGN, name: 'Undo', of: 'the sample' });

const navigation = (): Html =>
  html`<nav class="parts" aria-label="Samples of parts"><ul>${PLACES.map(
    ({ name }, index) =>
      html`<li><a href="${DESIGN}"${index === 0 && html` aria-current="true"`}>${name}</a></li>`,
  )}</ul></nav>
<details><summary>What is opened when wanted</summary><p>It was hidden.</p></details>`;
