import { emailInput, inputField } from '../shared/fields.ts';
import { html } from '../shared/html.ts';
import { layout } from '../shared/layout.ts';
import type { FormState, PageContext } from '../shared/page-context.ts';
import { formMessage } from '../shared/parts.ts';

/** `next`: where to go once signed in. */
export const signInPage = (context: PageContext, form: FormState, next: string): string =>
  layout(context, {
    title: 'Sign in',
    lead: 'See how your business is doing, and manage it.',
    body: html`<form method="post" action="/settings/sign-in" class="card stack">
${formMessage(form)}<input type="hidden" name="next" value="${next}">
${emailInput(form, { name: 'email', label: 'Email', autocomplete: 'username' })}
${inputField(form, { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
<button type="submit" class="primary">Sign in</button>
<p class="hint">Forgotten your password? Your Frontdesk operator can send you a link to set a new one.</p>
</form>`,
  });
