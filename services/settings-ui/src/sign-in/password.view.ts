import { MAX_LENGTH, MIN_PASSWORD, type SessionRecord } from '@frontdesk/contracts';
import type { Region } from '../region/region.rules.ts';
import { formMessage, postForm } from '../ui/controls.view.ts';
import { emailInput, inputField } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import { EMPTY_FORM, type FormState, type PageContext } from '../ui/page-context.ts';
import { panel } from '../ui/panel.view.ts';
import { sessionsPanel } from './sessions.view.ts';

const newPassword = (form: FormState) =>
  inputField(form, {
    name: 'new_password',
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    hint: `At least ${MIN_PASSWORD} characters. A few unrelated words are easy to remember.`,
  });

interface AccountPage {
  password?: FormState;
  address?: FormState;
  sessions: SessionRecord[];
  region: Region;
}

/** What somebody changes of their own account, and where they are signed in. */
export const accountPage = (
  context: PageContext,
  { password = EMPTY_FORM, address = EMPTY_FORM, sessions, region }: AccountPage,
): string =>
  layout(context, {
    title: 'Account',
    at: '/settings/account',
    lead: html`Signed in as <strong>${context.email}</strong>`,
    body: html`${passwordPanel(context, password)}${addressPanel(context, address)}${sessionsPanel(context, { sessions, region })}`,
  });

const passwordPanel = (context: PageContext, form: FormState): Html =>
  panel({
    id: 'password',
    title: 'Change the password',
    body: html`<p>You stay signed in here. Everywhere else you are signed out.</p>
${postForm(context, {
  action: '/settings/account/password',
  look: 'stack short',
  reloadsPage: true,
  worksSuspended: true,
  state: form,
  body: html`<input type="email" name="username" autocomplete="username" value="${context.email}" readonly hidden>
${inputField(form, {
  name: 'current_password',
  label: 'Current password',
  type: 'password',
  autocomplete: 'current-password',
})}
${newPassword(form)}
<div class="actions"><button type="submit" class="primary">Change password</button></div>`,
})}`,
  });

const addressPanel = (context: PageContext, form: FormState): Html =>
  panel({
    id: 'email',
    title: 'Change the email address',
    body: html`<p>We send a link to the new address. You sign in with it once you have opened that link.</p>
${postForm(context, {
  action: '/settings/account/email',
  look: 'stack short',
  worksSuspended: true,
  state: form,
  body: html`${emailInput(form, { name: 'email', label: 'New email', maxLength: MAX_LENGTH.email, autocomplete: 'email' })}
<div class="actions"><button type="submit" class="primary">Send link</button></div>`,
})}`,
  });

export const forgotPage = (context: PageContext, form: FormState): string =>
  layout(context, {
    title: 'Forgotten your password?',
    lead: 'We send you a link to set a new one.',
    body: postForm(context, {
      action: '/settings/forgot',
      look: 'card stack',
      reloadsPage: true,
      state: form,
      body: html`${emailInput(form, { name: 'email', label: 'Email', autocomplete: 'username' })}
<button type="submit" class="primary">Send link</button>
<p class="hint"><a href="/settings/sign-in">Back to signing in</a></p>`,
    }),
  });

interface AddressPage {
  from: string;
  to: string;
  token: string;
  /** Whether this browser is signed in with the account. */
  isOwn: boolean;
  signedInAs: string | null;
}

export const addressPage = (context: PageContext, page: AddressPage): string =>
  layout(context, {
    title: 'Change your email address',
    body: page.isOwn
      ? addressForm(context, page)
      : html`<div class="card stack">${signInAs(page.from, {
          signedInAs: page.signedInAs,
          to: `change its address to ${page.to}`,
          next: `/settings/address?token=${page.token}`,
        })}</div>`,
  });

const addressForm = (context: PageContext, { from, to, token }: AddressPage): Html =>
  postForm(context, {
    action: '/settings/address',
    look: 'card stack',
    reloadsPage: true,
    body: html`<p>You sign in as <strong>${from}</strong> so far, and as <strong>${to}</strong> from now on.</p>
<input type="hidden" name="token" value="${token}">
<button type="submit" class="primary">Change address</button>`,
  });

/** What a link leads to that is for one account alone. */
const signInAs = (
  email: string,
  { signedInAs, to, next }: { signedInAs: string | null; to: string; next: string },
): Html =>
  html`<p>${signedInAs !== null && html`You are signed in as <strong>${signedInAs}</strong>. `}Sign in as <strong>${email}</strong> to ${to}.</p>
<p><a class="button primary" href="/settings/sign-in?next=${encodeURIComponent(next)}">Sign in</a></p>`;

export const resetPage = (context: PageContext, form: FormState, token: string): string =>
  layout(context, {
    title: 'Set a new password',
    body: postForm(context, {
      action: '/settings/reset',
      look: 'card stack',
      reloadsPage: true,
      state: form,
      body: html`<input type="hidden" name="token" value="${token}">
${newPassword(form)}
<button type="submit" class="primary">Set password</button>`,
    }),
  });

interface InvitationPage {
  token: string;
  email: string;
  invitedBy: string;
  /** Null where its name is unknown just now. */
  business: string | null;
  /** What is left to do: to choose a password, to sign in with an account, or to join with it. */
  step: 'password' | 'sign-in' | 'join';
  /** The account that this browser is signed in with. */
  signedInAs: string | null;
  form: FormState;
}

export const invitationPage = (context: PageContext, page: InvitationPage): string =>
  layout(context, {
    title: page.business === null ? 'You are invited' : `Join ${page.business}`,
    body: page.step === 'sign-in' ? signInFirst(page) : acceptForm(context, page),
  });

const invitedText = ({ invitedBy, business }: InvitationPage): Html =>
  html`${invitedBy} invites you to manage the settings of <bdi>${business ?? 'their business'}</bdi>.`;

const acceptForm = (context: PageContext, page: InvitationPage): Html =>
  postForm(context, {
    action: '/settings/invitation',
    look: 'card stack',
    reloadsPage: true,
    state: page.form,
    body: html`<p>${invitedText(page)} You will sign in as
<strong>${page.email}</strong>.</p>
<input type="hidden" name="token" value="${page.token}">
${
  page.step === 'password' &&
  html`<input type="email" name="username" autocomplete="username" value="${page.email}" readonly hidden>
${newPassword(page.form)}`
}
<button type="submit" class="primary">Accept invitation</button>`,
  });

/** An account joins with its own password, which no invitation sets. */
const signInFirst = (page: InvitationPage): Html =>
  html`<div class="card stack">${formMessage(page.form)}<p>${invitedText(page)}</p>
${signInAs(page.email, { ...page, to: 'join', next: `/settings/invitation?token=${page.token}` })}</div>`;
