import type { ServiceAdmin } from '@frontdesk/contracts';
import { errorMessage, postForm } from '../ui/controls.view.ts';
import { type Html, html, type Renderable } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import { type FormState, type PageContext, textOf } from '../ui/page-context.ts';

export const BUSINESS = '/settings/business';
export const SERVICES = `${BUSINESS}/services`;
export const STAFF = `${BUSINESS}/staff`;
export const OPENING_HOURS = `${BUSINESS}/opening-hours`;

interface BusinessPage {
  title: string;
  /** Which of the settings the page belongs to. */
  part: string;
  lead?: Renderable;
  /** What was wrong with a change that has no form to show it in. */
  refusal?: string | undefined;
  body: Renderable;
  undo?: Renderable;
}

/** A page of `/settings/business`. */
export const businessPage = (
  context: PageContext,
  { title, part, lead, refusal, body, undo }: BusinessPage,
): string => layout(context, { title, at: part, lead, undo, body: html`${errorMessage(refusal)}${body}` });

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
  postForm(context, {
    action: options.action,
    id: options.id,
    label: options.label,
    look: 'stack',
    asksBeforeLeaving: true,
    hasPreview: options.hasPreview,
    state: form,
    body: html`<button type="submit" hidden></button>
${options.isRecord && html`${versionField(textOf(form, 'version'), options.record)}${drawnField(form)}`}
${options.body}
<div class="actions"><button type="submit" class="primary">${options.submit}</button>${options.also}</div>`,
  });

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
