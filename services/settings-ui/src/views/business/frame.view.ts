import type { ServiceAdmin } from '@frontdesk/contracts';
import { type Html, html, type Renderable } from '../shared/html.ts';
import { layout } from '../shared/layout.ts';
import { type FormState, type PageContext, textOf } from '../shared/page-context.ts';
import { csrfField, formMessage, refusalMessage } from '../shared/parts.ts';

export const BUSINESS = '/settings/business';
export const SERVICES = `${BUSINESS}/services`;
export const STAFF = `${BUSINESS}/staff`;
export const OPENING_HOURS = `${BUSINESS}/opening-hours`;

const PARTS = [
  { href: BUSINESS, name: 'Profile and booking' },
  { href: SERVICES, name: 'Services' },
  { href: STAFF, name: 'Staff' },
  { href: OPENING_HOURS, name: 'Opening hours' },
];

interface BusinessPage {
  title: string;
  /** Which of the parts the page belongs to. */
  part: string;
  lead?: Renderable;
  /** What was wrong with a change that has no form to show it in. */
  refusal?: string | undefined;
  body: Renderable;
}

/** A page of `/settings/business`, with the way to the others. */
export const businessPage = (
  context: PageContext,
  { title, part, lead, refusal, body }: BusinessPage,
): string =>
  layout(context, {
    title,
    at: BUSINESS,
    lead,
    body: html`<nav class="parts" aria-label="Business"><ul>${PARTS.map(
      ({ href, name }) =>
        html`<li><a href="${href}"${href === part && html` aria-current="page"`}>${name}</a></li>`,
    )}</ul></nav>
${refusalMessage(refusal)}${body}`,
  });

/** Of which record a version is, where a page has several of them: versions of two may look the same. */
type RecordOfPage = 'profile' | 'booking';

/** Lets a change be made only to what was seen. */
export const versionField = (etag: string, record?: RecordOfPage): Html =>
  html`<input type="hidden" name="version" value="${etag}"${record && html` data-record="${record}"`}>`;

interface FormOf {
  action: string;
  id: string;
  /** The record is there already, and its `recordState` is shown. */
  isRecord?: boolean;
  record?: RecordOfPage | undefined;
  submit: string;
  body: Renderable;
  label?: string;
  also?: Renderable;
  /** Shows what is entered as a picture, before it is saved. */
  hasPreview?: boolean;
}

/** The values that the form was drawn with, so that the changes of others differ from those made in it. */
const drawnField = (form: FormState): Html =>
  html`<input type="hidden" name="drawn" value="${textOf(form, 'drawn')}">`;

/** A form that knows which version of the record it shows, and goes by that until somebody has seen another. */
export const recordForm = (context: PageContext, form: FormState, options: FormOf): Html =>
  html`<form method="post" action="${options.action}" id="${options.id}" data-inline data-keep class="stack"${options.hasPreview && html` data-preview`}${options.label && html` aria-label="${options.label}"`}>
<button type="submit" hidden></button>
${formMessage(form)}${csrfField(context)}
${options.isRecord && html`${versionField(textOf(form, 'version'), options.record)}${drawnField(form)}`}
${options.body}
<div class="actions"><button type="submit" class="primary">${options.submit}</button>${options.also}</div></form>`;

type Listed = Pick<ServiceAdmin, 'id' | 'name' | 'is_active'>;

/** Active ones first, each by name. */
export const inOrder = (a: Listed, b: Listed) =>
  Number(b.is_active) - Number(a.is_active) || a.name.localeCompare(b.name);

/** Services or staff as boxes to check. */
export const recordChoices = (records: readonly Listed[]) =>
  records.map(({ id, name, is_active }) => ({
    value: String(id),
    label: name,
    hint: !is_active && 'Inactive',
  }));
