import { type Html, html, type Renderable } from './html.ts';
import { type FormState, type PageContext, textsOf } from './page-context.ts';

/** Without it a form is not taken: no other site can know it. */
export const csrfField = ({ csrfToken }: Pick<PageContext, 'csrfToken'>): Html =>
  html`<input type="hidden" name="_csrf" value="${csrfToken}">`;

/** Goes into a form that must not be taken twice, whatever a reload sends. */
export const onceField = ({ formToken }: Pick<PageContext, 'formToken'>): Html =>
  html`<input type="hidden" name="form_token" value="${formToken}">`;

/** What was chosen and can't be shown right now, to be sent again. */
export const keptFields = (form: FormState, names: readonly string[]): Html[] =>
  names.flatMap((name) =>
    textsOf(form, name).map((value) => html`<input type="hidden" name="${name}" value="${value}">`),
  );

/** What is wrong with a change that has no fields. */
export const refusalMessage = (refusal: string | undefined): Html | false =>
  formMessage({ message: refusal ?? null });

/** What is wrong with a form as a whole. It is said at once, and gets the focus. */
export const formMessage = ({ message }: Pick<FormState, 'message'>): Html | false =>
  message !== null && html`<p class="notice bad" role="alert" data-focus tabindex="-1">${message}</p>`;

export const badge = (tone: 'good' | 'bad' | 'waiting' | 'off', text: string): Html =>
  html`<span class="badge ${tone}">${text}</span>`;

/** Text to take along, with a button that copies it. */
export const copyable = (label: string, text: string): Html =>
  html`<div class="copyable"><code tabindex="0" aria-label="${label}" role="group">${text}</code>
<button type="button" data-copy="${text}" hidden>Copy<span class="for-reader"> ${label}</span></button></div>`;

interface Confirmation {
  id: string;
  button: string;
  /** Of what, for those who hear the button out of its row. */
  of: string;
  title: string;
  text: Renderable;
  action: string;
  confirm: string;
  fields?: Renderable;
  /** The button that changes nothing, where “Cancel” could mean either. */
  dismiss?: string;
  /** What it does can be mended. */
  isHarmless?: boolean;
}

/** A button that asks first. The dialog needs no script where the browser knows commands. */
export function confirmation(context: PageContext, options: Confirmation): Html {
  if (context.isSuspended) return html``;
  const {
    id,
    button,
    of,
    title,
    text,
    action,
    confirm,
    fields,
    dismiss = 'Cancel',
    isHarmless = false,
  } = options;
  const danger = isHarmless ? '' : 'danger';
  return html`<button type="button" class="quiet ${danger}" command="show-modal" commandfor="${id}"
aria-haspopup="dialog">${button}<span class="for-reader"> ${of}</span></button>
<dialog id="${id}" aria-labelledby="${id}-title"><form method="post" action="${action}" data-inline>
<h3 id="${id}-title">${title}</h3><p>${text}</p>${csrfField(context)}${fields}
<div class="actions"><button type="button" command="close" commandfor="${id}">${dismiss}</button>
<button type="submit" class="${isHarmless ? 'primary' : 'danger solid'}">${confirm}</button></div></form></dialog>`;
}

/** A change that needs no question. */
export const actionButton = (
  context: PageContext,
  { action, name, of, fields }: { action: string; name: string; of: string; fields?: Renderable },
): Html => html`<form method="post" action="${action}" data-inline class="inline">${csrfField(context)}${fields}
<button type="submit" class="quiet">${name}<span class="for-reader"> ${of}</span></button></form>`;

/** Stands for what another service did not answer in time. */
export const unavailable = (what: string): Html =>
  html`<p class="notice waiting" role="status">${what} can’t be shown right now. The rest of this page works; try again in a moment.</p>`;

/** Wide text scrolls by itself; with the keyboard too. */
export const code = (label: string, text: string): Html =>
  html`<pre tabindex="0" role="group" aria-label="${label}"><code>${text}</code></pre>`;
