import { type Html, html, type Renderable } from './html.ts';
import { notice } from './notice.view.ts';
import { type FormState, type PageContext, textsOf } from './page-context.ts';
import { mayUse, type Who } from './page-scopes.rules.ts';

/** Without it a form is not taken: no other site can know it. */
const csrfField = ({ csrfToken }: Pick<PageContext, 'csrfToken'>): Html =>
  html`<input type="hidden" name="_csrf" value="${csrfToken}">`;

/** Goes into a form that must not be taken twice, whatever a reload sends. */
export const onceField = ({ formToken }: Pick<PageContext, 'formToken'>): Html =>
  html`<input type="hidden" name="form_token" value="${formToken}">`;

interface PostForm {
  action: string;
  body: Renderable;
  /** What is wrong with all of it is said at its beginning. */
  state?: Pick<FormState, 'message'> | undefined;
  id?: string;
  label?: string | undefined;
  /** Its classes. */
  look?: string;
  /** It brings a file, so the page is loaded anew. */
  hasFile?: boolean;
  /** The page is loaded anew with its answer. Others take it over without that, where scripts run. */
  reloadsPage?: boolean;
  /** What came of it is not saved yet, so leaving the page asks. */
  asksBeforeLeaving?: boolean;
  /** What is entered is drawn before it is saved. */
  hasPreview?: boolean | undefined;
  /** It must not be taken twice, whatever a reload sends. */
  isOnce?: boolean;
  /** It concerns the admin alone, so admins of a suspended business send it too. */
  worksSuspended?: boolean;
}

/** Every form that changes something. It carries the session's token; a suspended business sees it disabled. */
export function postForm(context: PageContext, form: PostForm): Html {
  const { action, id, label, look, state, hasFile, worksSuspended } = form;
  if (!mayUse(context, 'POST', action)) return html``;
  const content = html`${state && formMessage(state)}${context.csrfToken !== '' && csrfField(context)}${
    form.isOnce && onceField(context)
  }${form.body}`;
  return html`<form method="post" action="${action}"${id && html` id="${id}"`}${
    hasFile ? html` enctype="multipart/form-data"` : !form.reloadsPage && html` data-inline`
  }${form.asksBeforeLeaving && html` data-keep`}${look && html` class="${look}"`}${
    form.hasPreview && html` data-preview`
  }${label && html` aria-label="${label}"`}>${
    context.isSuspended && !worksSuspended
      ? html`<fieldset class="switched-off" disabled>${content}</fieldset>`
      : content
  }</form>`;
}

/** A link, for whoever may follow it. `look`: its classes. */
export const linkTo = (who: Who, href: string, text: Renderable, look?: string): Html | false =>
  mayUse(who, 'GET', href) && html`<a${look && html` class="${look}"`} href="${href}">${text}</a>`;

/** What something is called, with the way to it for whoever may go there. */
export const nameLink = (who: Who, href: string, name: Renderable): Renderable =>
  linkTo(who, href, name) || name;

/** What was chosen and can't be shown right now, to be sent again. */
export const keptFields = (form: FormState, names: readonly string[]): Html[] =>
  names.flatMap((name) =>
    textsOf(form, name).map((value) => html`<input type="hidden" name="${name}" value="${value}">`),
  );

/** What is wrong with a change that has no fields. */
export const errorMessage = (refusal: string | undefined): Html | false =>
  formMessage({ message: refusal ?? null });

/** What is wrong with a form as a whole. It is said at once, and gets the focus. */
export const formMessage = ({ message }: Pick<FormState, 'message'>): Html | false =>
  message !== null && notice('bad', html`${message}`, { role: 'alert', isAnswer: true });

/** Parts of a sentence, apart from one another; those that are false are left out. */
export const parts = (...texts: (Renderable | false)[]): Html =>
  html`${texts.filter((text) => text !== false).map((text, index) => html`${index > 0 && ' · '}${text}`)}`;

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
  /** Left out where it stands in the form that it sends. */
  action?: string;
  confirm: string;
  fields?: Renderable;
  /** The button that changes nothing, where “Cancel” could mean either. */
  dismiss?: string;
  /** What it does can be mended. */
  isHarmless?: boolean;
  /** The classes of the button that asks. */
  look?: string;
}

/** A button that asks first. The dialog needs no script where the browser knows commands. */
export function confirmation(context: PageContext, options: Confirmation): Html {
  if (context.isSuspended || (options.action !== undefined && !mayUse(context, 'POST', options.action)))
    return html``;
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
    look = `quiet ${isHarmless ? '' : 'danger'}`,
  } = options;
  const question = html`<h3 id="${id}-title">${title}</h3><p>${text}</p>${fields}
<div class="actions"><button type="button" command="close" commandfor="${id}">${dismiss}</button>
<button type="submit" class="${isHarmless ? 'primary' : 'danger solid'}">${confirm}</button></div>`;
  return html`<button type="button" class="${look}" command="show-modal" commandfor="${id}"
aria-haspopup="dialog">${button}<span class="for-reader"> ${of}</span></button>
<dialog id="${id}" aria-labelledby="${id}-title">${
    action === undefined
      ? html`<div class="stack">${question}</div>`
      : postForm(context, { action, body: question })
  }</dialog>`;
}

interface ActionButton extends Pick<PostForm, 'action' | 'worksSuspended'> {
  name: string;
  of: string;
  fields?: Renderable;
}

/** A change that needs no question. */
export const actionButton = (
  context: PageContext,
  { action, name, of, fields, worksSuspended = false }: ActionButton,
): Html =>
  postForm(context, {
    action,
    look: 'inline',
    worksSuspended,
    body: html`${fields}<button type="submit" class="quiet">${name}<span class="for-reader"> ${of}</span></button>`,
  });

/** Stands for what another service did not answer in time. */
export const unavailable = (what: string): Html =>
  notice(
    'waiting',
    html`${what} can’t be shown right now. The rest of this page works;
try again in a moment.`,
    { role: 'status' },
  );

/** Wide text scrolls by itself; with the keyboard too. */
export const code = (label: string, text: string): Html =>
  html`<pre tabindex="0" role="group" aria-label="${label}"><code>${text}</code></pre>`;
