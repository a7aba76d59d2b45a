import { postForm } from '../ui/controls.view.ts';
import { emailInput, inputField } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import type { FormState, PageContext } from '../ui/page-context.ts';

/** `next`: where to go once signed in. */
export const signInPage = (context: PageContext, form: FormState, next: string): string =>
  layout(context, {
    title: 'Sign in',
    lead: 'See how your business is doing, and manage it.',
    body: postForm(context, {
      action: '/settings/sign-in',
      look: 'card stack',
      reloadsPage: true,
      state: form,
      body: html`<input type="hidden" name="next" value="${next}">
${emailInput(form, { name: 'email', label: 'Email', autocomplete: 'username' })}
${inputField(form, { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
<button type="submit" class="primary">Sign in</button>
<p class="hint"><a href="/settings/forgot">Forgotten your password?</a></p>`,
    }),
  });

/** In place of what a link opens for one account alone. `to`: what that account can do there. */
export const signInAs = (
  email: string,
  { signedInAs, to, next }: { signedInAs: string | null; to: string; next: string },
): Html =>
  html`<p>${signedInAs !== null && html`You are signed in as <strong>${signedInAs}</strong>. `}Sign in as <strong>${email}</strong> to ${to}.</p>
<p><a class="button primary" href="/settings/sign-in?next=${encodeURIComponent(next)}">Sign in</a></p>`;
