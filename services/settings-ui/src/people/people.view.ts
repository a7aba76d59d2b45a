import {
  type AdminUser,
  INVITATION_DAYS,
  type Invitation,
  MAX_LENGTH,
  MEMBER_ROLES,
  ROLE_WORDS,
} from '@frontdesk/contracts';
import { quotaLine, unlessFull } from '../records/quota.view.ts';
import type { QuotaUse } from '../records/quota-use.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { plural } from '../region/words.rules.ts';
import { actionButton, badge, confirmation, postForm } from '../ui/controls.view.ts';
import { emailInput, options, radioGroup } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import { notice } from '../ui/notice.view.ts';
import type { FormState, PageContext } from '../ui/page-context.ts';
import { panel } from '../ui/panel.view.ts';
import { table } from '../ui/table.view.ts';
import { timeIn, timeOr } from '../ui/times.view.ts';

export interface PeoplePage {
  admins: AdminUser[];
  invitations: Invitation[];
  quota: QuotaUse | null;
  region: Region;
  form: FormState;
  /** Emails of this business that wait; without a mail server nobody sends them. */
  waitingEmails: { count: number; isSending: boolean };
}

export const peoplePage = (context: PageContext, page: PeoplePage): string =>
  layout(context, {
    title: 'People',
    at: '/settings/people',
    lead: 'Who can sign in, and what they can do.',
    body: html`${adminsCard(context, page)}${invitationsCard(context, page)}`,
  });

const adminsCard = (context: PageContext, { admins, region }: PeoplePage): Html =>
  panel({
    id: 'admins',
    isPlace: true,
    title: 'Team',
    body: html`${table({
      rows: admins,
      columns: [
        {
          name: 'Email',
          isName: true,
          cell: ({ email }) =>
            html`<span>${email}${email === context.email && html` ${badge('off', 'You')}`}</span>`,
        },
        { name: 'Role', cell: (admin) => roleOf(context, admin) },
        { name: 'Since', cell: ({ created_at }) => timeIn(region, created_at) },
        { name: 'Last sign-in', cell: ({ last_sign_in_at }) => timeOr(region, last_sign_in_at, 'Never') },
      ],
      buttons: {
        name: 'Actions',
        cell: ({ id, email }) => email !== context.email && removal(context, id, email),
      },
    })}`,
  });

const ROLE_CHOICES = MEMBER_ROLES.map((value) => ({
  value,
  label: ROLE_WORDS[value].name,
  hint: ROLE_WORDS[value].meaning,
}));

const roleOf = (context: PageContext, { id, email, role }: AdminUser): Html =>
  context.isSuspended
    ? html`${ROLE_WORDS[role].name}`
    : postForm(context, {
        action: `/settings/people/${id}/role`,
        look: 'row',
        label: `Role of ${email}`,
        body: html`<label><span class="for-reader">Role of ${email}</span><select name="role">${options(
          ROLE_CHOICES,
          role,
        )}</select></label><button type="submit" class="quiet">Change<span class="for-reader"> the role of ${email}</span></button>`,
      });

const removal = (context: PageContext, id: number, email: string): Html =>
  confirmation(context, {
    id: `remove-${id}`,
    button: 'Remove',
    of: email,
    title: `Remove ${email}?`,
    text:
      'They are signed out everywhere at once, and invitations they made stop working. ' +
      'What they did stays in the audit log.',
    action: `/settings/people/${id}/remove`,
    confirm: 'Remove',
  });

const invitationsCard = (context: PageContext, page: PeoplePage): Html =>
  panel({
    id: 'invitations',
    isPlace: true,
    title: 'Invitations',
    body: html`<p>We send a link to the address. It works once, within ${INVITATION_DAYS} days.</p>
${mailNotice(page)}
${page.invitations.length === 0 ? html`<p class="empty">No open invitations.</p>` : list(context, page)}
${quotaLine(page.region, page.quota)}${unlessFull(
  page.quota,
  invitationForm(context, page.form),
  page.form,
)}`,
  });

const invitationForm = (context: PageContext, form: FormState): Html =>
  postForm(context, {
    action: '/settings/people/invitations',
    look: 'stack',
    label: 'Invite someone',
    state: form,
    isOnce: true,
    body: html`${emailInput(form, { name: 'email', label: 'Email address', maxLength: MAX_LENGTH.email })}
${radioGroup(
  { ...form, values: { role: 'receptionist', ...form.values } },
  { name: 'role', label: 'Role', choices: ROLE_CHOICES },
)}
<button type="submit" class="primary">Send invitation</button>`,
  });

function mailNotice({ region, waitingEmails: { count, isSending } }: PeoplePage): Html | false {
  if (!isSending)
    return notice(
      'waiting',
      html`No mail server is set up, so no email is sent. Your Frontdesk operator can read the emails that wait, and pass the links on.`,
      { role: 'status' },
    );
  return (
    count > 0 &&
    notice(
      'waiting',
      html`${plural(region, count, 'email')} of this business could not be sent yet. They are tried again.`,
      {
        role: 'status',
      },
    )
  );
}

const list = (context: PageContext, { invitations, region }: PeoplePage): Html =>
  table({
    rows: invitations,
    columns: [
      { name: 'Email', isName: true, cell: ({ email }) => email },
      { name: 'Role', cell: ({ role }) => ROLE_WORDS[role].name },
      { name: 'Invited by', cell: ({ invited_by }) => invited_by },
      { name: 'Works until', cell: ({ expires_at }) => timeIn(region, expires_at) },
    ],
    buttons: {
      name: 'Actions',
      cell: ({ id, email }) =>
        html`${actionButton(context, {
          action: `/settings/people/invitations/${id}/send-again`,
          name: 'Send again',
          of: `the invitation for ${email}`,
        })}${confirmation(context, {
          id: `revoke-${id}`,
          button: 'Revoke',
          of: `the invitation for ${email}`,
          title: 'Revoke this invitation?',
          text: html`The link sent to <strong>${email}</strong> stops working.`,
          action: `/settings/people/invitations/${id}/revoke`,
          confirm: 'Revoke invitation',
        })}`,
    },
  });
