import type { EndpointAdmin, MissedEvents, Replay } from '@frontdesk/contracts';
import { ALL_SCOPES } from '@frontdesk/contracts';
import { NO_REGION } from '../region/region.rules.ts';
import { endpointActions } from './endpoint-actions.view.ts';

const context = {
  asset: (name: string) => name,
  email: null,
  csrfToken: '',
  formToken: '',
  businessName: null,
  hasOtherBusinesses: false,
  isSuspended: false,
  scopes: ALL_SCOPES,
  notice: null,
};
const TO = '2026-03-09T10:00:00.000Z';
const resumed: MissedEvents = { to: TO, count: 0, is_partial: false };
const replay = { kind: 'missed', status: 'done', to: TO } as Replay;

const shown = (missed: MissedEvents, { isActive = true, replays = [] as Replay[] } = {}) => {
  const endpoint = { id: 5, url: 'https://example.com/', is_active: isActive } as EndpointAdmin;
  return String(endpointActions(context, { endpoint, missed, replays, region: NO_REGION }));
};

it.each([
  ['some', { ...resumed, count: 2 }, /2 events came in before .*and have not been sent/],
  ['some at least', { ...resumed, count: 2, is_partial: true }, /at least 2 events came in before/],
  [
    'perhaps some',
    { ...resumed, is_partial: true },
    /<p>Events may have come in before .* that have not been sent/,
  ],
])('what came in before it was resumed is offered: %s', (_what, missed, text) => {
  expect(shown(missed)).toMatch(text);
  expect(shown(missed)).toContain('id="send-missed"');
});

it('nothing is offered where nothing is missing, or all has been sent that could not be counted', () => {
  expect(shown(resumed)).not.toContain('send-missed');
  const uncertain = { ...resumed, is_partial: true };
  expect(shown(uncertain, { replays: [replay] })).not.toContain('send-missed');
  for (const other of [
    { to: '2026-03-08T10:00:00.000Z' },
    { status: 'cancelled' },
    { kind: 'window' },
  ] as const)
    expect(shown(uncertain, { replays: [{ ...replay, ...other }] })).toContain('send-missed');
});

it('a pause says that there may be some where they could not be counted', () => {
  const page = shown({ to: null, count: 0, is_partial: true }, { isActive: false });
  expect(page).toContain('Events may have come in meanwhile.');
  expect(page).toContain('Resume and send what came in');
});
