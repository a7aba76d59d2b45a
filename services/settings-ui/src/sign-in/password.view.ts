import { MIN_PASSWORD } from '@frontdesk/contracts';
import { postForm } from '../ui/controls.view.ts';
import { inputField } from '../ui/fields.view.ts';
import { html, type Renderable } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import type { FormState, PageContext } from '../ui/page-context.ts';
import { panel } from '../ui/panel.view.ts';

const newPassword = (form: FormState) =>
  inputField(form, {
    name: 'new_password',
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    hint: `At least ${MIN_PASSWORD} characters. A few unrelated words are easy to remember.`,
  });

/** `more`: the panels below that of the password. */
export const accountPage = (context: PageContext, form: FormState, more: Renderable): string =>
  layout(context, {
    title: 'Account',
    at: '/settings/account',
    lead: html`Signed in as <strong>${context.email}</strong>`,
    body: html`${panel({
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
    })}${more}`,
  });

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
  form: FormState;
}

export const invitationPage = (
  context: PageContext,
  { token, email, invitedBy, business, form }: InvitationPage,
): string =>
  layout(context, {
    title: business === null ? 'You are invited' : `Join ${business}`,
    body: postForm(context, {
      action: '/settings/invitation',
      look: 'card stack',
      reloadsPage: true,
      state: form,
      body: html`<p>${invitedBy} invites you to manage the settings of ${business ?? 'their business'}. You will sign in as
<strong>${email}</strong>.</p>
<input type="hidden" name="token" value="${token}">
<input type="email" name="username" autocomplete="username" value="${email}" readonly hidden>
${newPassword(form)}
<button type="submit" class="primary">Accept invitation</button>`,
    }),
  });
