import { SESSION_DAYS, SESSION_IDLE_HOURS, type SessionRecord } from '@frontdesk/contracts';
import type { Region } from '../region/region.rules.ts';
import { actionButton, badge, postForm } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import type { PageContext } from '../ui/page-context.ts';
import { panel } from '../ui/panel.view.ts';
import { table } from '../ui/table.view.ts';
import { timeIn } from '../ui/times.view.ts';

export const SESSIONS = '/settings/account/sessions';
export const SESSIONS_PANEL = '/settings/account#sessions';

export const sessionsPanel = (
  context: PageContext,
  { sessions, region }: { sessions: SessionRecord[]; region: Region },
): Html =>
  panel({
    id: 'sessions',
    isPlace: true,
    title: 'Where you are signed in',
    body: html`<p>You are signed out after ${SESSION_IDLE_HOURS} hours without use, and after ${SESSION_DAYS} days at most.
If you don’t know one of these, end it and change your password.</p>
${table({
  rows: sessions,
  columns: [
    {
      name: 'Device',
      isName: true,
      cell: ({ device, is_current }) =>
        html`<span>${device}${is_current && html` ${badge('good', 'This browser')}`}</span>`,
    },
    context.hasOtherBusinesses && {
      name: 'Business',
      cell: ({ business }) => (business === null ? 'Unknown right now' : html`<bdi>${business}</bdi>`),
    },
    { name: 'Address range', cell: ({ network }) => network ?? 'Unknown' },
    { name: 'Signed in', cell: ({ started_at }) => timeIn(region, started_at) },
    { name: 'Last used', cell: ({ last_used_at }) => timeIn(region, last_used_at) },
  ],
  buttons: {
    name: 'Actions',
    cell: ({ id, device, network, is_current }) =>
      !is_current &&
      actionButton(context, {
        action: `${SESSIONS}/${id}/end`,
        name: 'End',
        of: `the session of ${device}, ${network ?? 'unknown'}`,
        worksSuspended: true,
      }),
  },
})}
${postForm(context, {
  action: `${SESSIONS}/end-others`,
  reloadsPage: true,
  worksSuspended: true,
  body: html`<button type="submit">Sign out everywhere else</button>`,
})}`,
  });
