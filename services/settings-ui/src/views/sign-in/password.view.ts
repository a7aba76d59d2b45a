import { inputField } from '../shared/fields.ts';
import { html } from '../shared/html.ts';
import { layout } from '../shared/layout.ts';
import type { FormState, PageContext } from '../shared/page-context.ts';
import { csrfField, formMessage } from '../shared/parts.ts';

const newPassword = (form: FormState) =>
  inputField(form, {
    name: 'new_password',
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    hint: 'At least 10 characters. A few unrelated words are easy to remember.',
  });

export const accountPage = (context: PageContext, form: FormState): string =>
  layout(context, {
    title: 'Account',
    at: '/settings/account',
    lead: html`Signed in as <strong>${context.email}</strong>`,
    body: html`<section class="card" aria-labelledby="password-title"><h2 id="password-title">Change the password</h2>
<p>You stay signed in here. Everywhere else you are signed out.</p>
<form method="post" action="/settings/account/password" data-own class="stack short">${formMessage(form)}${csrfField(context)}
<input type="email" name="username" autocomplete="username" value="${context.email}" readonly hidden>
${inputField(form, { name: 'current_password', label: 'Current password', type: 'password', autocomplete: 'current-password' })}
${newPassword(form)}
<div class="actions"><button type="submit" class="primary">Change password</button></div></form></section>`,
  });

export const resetPage = (context: PageContext, form: FormState, token: string): string =>
  layout(context, {
    title: 'Set a new password',
    body: html`<form method="post" action="/settings/reset" class="card stack">${formMessage(form)}
<input type="hidden" name="token" value="${token}">
${newPassword(form)}
<button type="submit" class="primary">Set password</button></form>`,
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
    body: html`<form method="post" action="/settings/invitation" class="card stack">${formMessage(form)}
<p>${invitedBy} invites you to manage the settings of ${business ?? 'their business'}. You will sign in as <strong>${email}</strong>.</p>
<input type="hidden" name="token" value="${token}">
<input type="email" name="username" autocomplete="username" value="${email}" readonly hidden>
${newPassword(form)}
<button type="submit" class="primary">Accept invitation</button></form>`,
  });
