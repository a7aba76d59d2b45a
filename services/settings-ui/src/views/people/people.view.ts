import type { AdminUser, Invitation } from '@frontdesk/contracts';
import type { QuotaUse } from '../../domain/quota-use.ts';
import type { Region } from '../../domain/shared/region.ts';
import { INVITATION_DAYS } from '../../domain/sign-in/invitation.ts';
import { emailInput } from '../shared/fields.ts';
import { type Html, html } from '../shared/html.ts';
import { layout } from '../shared/layout.ts';
import type { FormState, PageContext } from '../shared/page-context.ts';
import { badge, confirmation, copyable, csrfField, formMessage, onceField } from '../shared/parts.ts';
import { quotaLine, unlessFull } from '../shared/quota.view.ts';
import { timeIn, timeOr } from '../shared/times.ts';

export interface PeoplePage {
  admins: AdminUser[];
  invitations: Invitation[];
  quota: QuotaUse | null;
  region: Region;
  form: FormState;
  /** Shown this once. */
  made: { email: string; url: string; expires_at: string } | null;
}

export const peoplePage = (context: PageContext, page: PeoplePage): string =>
  layout(context, {
    title: 'People',
    at: '/settings/people',
    lead: 'Who can see and change these settings.',
    body: html`${adminsCard(context, page)}${invitationsCard(context, page)}`,
  });

const adminsCard = (context: PageContext, { admins, region }: PeoplePage): Html =>
  html`<section class="card" id="admins" aria-labelledby="admins-title"><h2 id="admins-title">Admins</h2>
<table class="list"><thead><tr><th scope="col">Email</th><th scope="col">Since</th><th scope="col">Last sign-in</th><th scope="col"><span class="for-reader">Actions</span></th></tr></thead>
<tbody>${admins.map(
    ({
      id,
      email,
      created_at,
      last_sign_in_at,
    }) => html`<tr><th scope="row" data-label="Email"><span>${email}${email === context.email && html` ${badge('off', 'You')}`}</span></th>
<td data-label="Since">${timeIn(region, created_at)}</td><td data-label="Last sign-in">${timeOr(region, last_sign_in_at, 'Never')}</td>
<td class="actions">${email !== context.email && removal(context, id, email)}</td></tr>`,
  )}</tbody></table></section>`;

const removal = (context: PageContext, id: number, email: string): Html =>
  confirmation(context, {
    id: `remove-${id}`,
    button: 'Remove',
    of: email,
    title: `Remove ${email}?`,
    text: 'They are signed out everywhere at once, and invitations they made stop working. What they did stays in the audit log.',
    action: `/settings/people/${id}/remove`,
    confirm: 'Remove admin',
  });

const invitationsCard = (context: PageContext, page: PeoplePage): Html =>
  html`<section class="card" id="invitations" aria-labelledby="invitations-title"><h2 id="invitations-title">Invitations</h2>
<p>The person who opens the link chooses a password and becomes an admin. It works once, within ${INVITATION_DAYS} days.</p>
${page.made && madePanel(page.made, page.region)}
${page.invitations.length === 0 ? html`<p class="empty">No open invitations.</p>` : list(context, page)}
${quotaLine(page.region, page.quota)}${unlessFull(page.quota, invitationForm(context, page.form), page.form)}</section>`;

const invitationForm = (context: PageContext, form: FormState): Html =>
  html`<form method="post" action="/settings/people/invitations" data-inline class="row" aria-label="Invite someone">
${formMessage(form)}${csrfField(context)}${onceField(context)}
${emailInput(form, { name: 'email', label: 'Email of a new admin', maxLength: 254 })}
<button type="submit" class="primary">Create invitation</button></form>`;

const madePanel = ({ email, url, expires_at }: NonNullable<PeoplePage['made']>, region: Region): Html =>
  html`<div class="notice good once" role="status" data-focus tabindex="-1">
<p><strong>The invitation for ${email} is ready.</strong> Copy the link now and send it to them: it won’t be shown again. It works until ${timeIn(region, expires_at)}.</p>
${copyable('the link', url)}</div>`;

const list = (context: PageContext, { invitations, region }: PeoplePage): Html =>
  html`<table class="list"><thead><tr><th scope="col">Email</th><th scope="col">Invited by</th><th scope="col">Works until</th><th scope="col"><span class="for-reader">Actions</span></th></tr></thead>
<tbody>${invitations.map(
    ({ id, email, invited_by, expires_at }) => html`<tr><th scope="row" data-label="Email">${email}</th>
<td data-label="Invited by">${invited_by}</td><td data-label="Works until">${timeIn(region, expires_at)}</td>
<td class="actions">${confirmation(context, {
      id: `revoke-${id}`,
      button: 'Revoke',
      of: `the invitation for ${email}`,
      title: 'Revoke this invitation?',
      text: html`The link sent to <strong>${email}</strong> stops working.`,
      action: `/settings/people/invitations/${id}/revoke`,
      confirm: 'Revoke invitation',
    })}</td></tr>`,
  )}</tbody></table>`;
