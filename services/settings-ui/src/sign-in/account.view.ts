import { MAX_LENGTH, type SessionRecord } from '@frontdesk/contracts';
import type { Region } from '../region/region.rules.ts';
import { postForm } from '../ui/controls.view.ts';
import { emailInput, inputField } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import { EMPTY_FORM, type FormState, type PageContext } from '../ui/page-context.ts';
import { panel } from '../ui/panel.view.ts';
import { newPassword } from './password.view.ts';
import { sessionsPanel } from './sessions.view.ts';
import { signInAs } from './sign-in.view.ts';

interface AccountPage {
  password?: FormState;
  address?: FormState;
  sessions: SessionRecord[];
  region: Region;
}

/** The forms for the own password and address, and where one is signed in. */
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
