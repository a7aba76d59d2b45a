import { MIN_PASSWORD } from '@frontdesk/contracts';
import { postForm } from '../ui/controls.view.ts';
import { emailInput, inputField } from '../ui/fields.view.ts';
import { html } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import type { FormState, PageContext } from '../ui/page-context.ts';

/** The field for a new password, with what it needs. */
export const newPassword = (form: FormState) =>
  inputField(form, {
    name: 'new_password',
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    hint: `At least ${MIN_PASSWORD} characters. A few unrelated words are easy to remember.`,
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
