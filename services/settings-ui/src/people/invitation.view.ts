import { type MemberRole, ROLE_WORDS } from '@frontdesk/contracts';
import { newPassword } from '../sign-in/password.view.ts';
import { signInAs } from '../sign-in/sign-in.view.ts';
import { formMessage, postForm } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import type { FormState, PageContext } from '../ui/page-context.ts';

interface InvitationPage {
  token: string;
  email: string;
  invitedBy: string;
  role: MemberRole;
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

const invitedText = ({ invitedBy, business, role }: InvitationPage): Html =>
  html`${invitedBy} invites you to join <bdi>${business ?? 'their business'}</bdi>. Your role: ${ROLE_WORDS[role].name}.`;

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
