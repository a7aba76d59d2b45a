import { operator, signedRequests } from '../../support/index.ts';
import { startCalls } from '../calls/calls-world.ts';
import { genericCall } from '../calls/sample-calls.ts';
import { genericMessage } from '../calls/signed-messages.ts';
import { startCalendarWorld } from './calendar-world.ts';
import { addSource, CALLS } from './calls-settings-world.ts';
import type { Browser } from './inject-browser.ts';
import { type Route, startWithRoutes } from './registered-routes.ts';
import { PASSWORD, UNANSWERED } from './settings-world.ts';

const BUSINESS = '/settings/business';
const API = '/settings/api';
const PEOPLE = '/settings/people';

/** Something right for a field by its name, as JSON: with it the odd values of other fields get past the first look. */
export const RIGHT_VALUES: Record<string, string> = Object.fromEntries(
  Object.entries({
    name: 'Name',
    email: 'guest@salon.example',
    url: UNANSWERED,
    events: ['call.ended'],
    scopes: ['calls:read'],
    preset: 'mirror',
    networks: ['203.0.113.0/24'],
    hours: 1,
    password: PASSWORD,
    new_password: PASSWORD,
    current_password: PASSWORD,
    token: 'token',
    provider: 'generic',
    from_number: '+49 30 901820',
    scheme: 'hmac',
    payload: '{body}',
    duration_minutes: 30,
    price: 12.5,
    performers: [1],
    shown_performers: [1],
    service_ids: [1],
    timezone: 'Europe/Berlin',
    slot_step_minutes: 15,
    minimum_notice_minutes: 1,
    notice_unit: 'days',
    horizon_days: 30,
    date: '2031-06-02',
    first_day: '2031-06-02',
    kind: 'window',
    from: '2025-01-01T00:00',
    to: '2025-01-02T00:00',
    start: '09:00',
    end: '17:00',
    service_id: 1,
    customer_id: 1,
    time: '10:00',
    starts_at: '2031-06-02T10:00',
    phone: '+49 30 901821',
    segment: 'vip',
    pipeline_stage: 'Won',
    notes: 'Tea',
    is_form: 'true',
    monday_start: '09:00',
    monday_end: '17:00',
  }).map(([name, value]) => [name, JSON.stringify(value)]),
);

/** So that each answer is about what was sent, not about how much. */
const UNLIMITED = { SESSION_REQUESTS_PER_MINUTE: '1000000', TENANT_REQUESTS_PER_MINUTE: '1000000' };

/** All services of the system, and a business that has one record of each kind. */
export async function startOddFormsWorld() {
  const [world, calls] = await Promise.all([startCalendarWorld(), startCalls()]);
  const callsUrl = await calls.service.internal.listen({ host: '127.0.0.1', port: 0 });
  const { settings, routes } = await startWithRoutes(() =>
    world.startSettings({ ...UNLIMITED, CALLS_INTERNAL_URL: callsUrl }),
  );
  const salon = await world.newSalon();
  const { tenantId } = salon;
  calls.newTenant({ id: tenantId });

  const signIn = async () => (await world.signedIn({ tenantId, on: settings })).browser;
  const { tokenOf } = signedRequests('settings-ui');
  const records = await makeRecords(await signIn());

  /** One record of each kind; its path is that of its route. */
  async function makeRecords(browser: Browser): Promise<Record<string, number>> {
    const add = async (url: string, body: object = {}) => {
      const answer = await browser.json('POST', url, body);
      expect([url, answer.status < 300]).toEqual([url, true]);
      return answer.body.data.id as number;
    };
    const source = await addSource(browser);
    await calls.ingest(source, genericMessage('{"provider_call_id": "<b>1"}', source));
    const [message] = await calls.settled(tenantId);
    await calls.ingest(source, genericMessage(genericCall({ ended_at: '2026-03-02T10:00:05Z' }), source));
    await calls.settled(tenantId);
    const [call] = (await browser.json('GET', CALLS)).body.data;
    const endpoint = await add(`${API}/webhooks`, { url: UNANSWERED, events: ['call.ended'] });
    const delivery = await add(`${API}/webhooks/${endpoint}/test`);
    await add(`${PEOPLE}/invitations`, { email: 'invited@salon.example' });
    const { admins, invitations } = (await browser.json('GET', PEOPLE)).body.data;
    return {
      [`${API}/keys`]: await add(`${API}/keys`, { name: 'Website' }),
      [`${API}/webhooks`]: endpoint,
      [`${API}/deliveries`]: delivery,
      [`${API}/replays`]: await add(`${API}/webhooks/${endpoint}/replays`, { kind: 'failed' }),
      [`${BUSINESS}/services`]: await add(`${BUSINESS}/services/new`, {
        name: 'Shave',
        duration_minutes: 30,
        price: 10,
      }),
      [`${BUSINESS}/staff`]: await add(`${BUSINESS}/staff/new`, { name: 'Cleo' }),
      [CALLS]: call.id,
      [`${CALLS}/sources`]: source.id,
      [`${CALLS}/messages`]: message.id,
      [PEOPLE]: admins[0].id,
      [`${PEOPLE}/invitations`]: invitations[0].id,
      '/settings/calendar/appointments': await salon.booked(),
      '/settings/customers': salon.customer_id,
    };
  }

  /** The route's path with the record that it is about. */
  const pathOf = ({ url }: Route): string =>
    url
      .replace(':tenant_id', String(tenantId))
      .replace(':time_off_id', '1')
      .replace(':date', '2031-06-02')
      .replace(/^(.*?)\/:id/, (_all, before: string) => `${before}/${records[before] ?? 1}`)
      .replace(/\/:\w+|\*/g, '/1');

  return {
    settings,
    /** Routes that remove something come last, and of those the ones that end a session. */
    routes: routes.toSorted((a, b) => endingOf(a) - endingOf(b)),
    pathOf,
    signIn,
    /** Each request takes it anew, as it is good for a minute. */
    operatorToken: () => tokenOf(operator),
    newBrowser: () => world.browser(settings),
    async stop() {
      await world.stop();
      await calls.service.internal.close();
      await calls.stop();
    },
  };
}

const endingOf = ({ method, url }: Route): number =>
  /sign-out|account|people\/:id/.test(url)
    ? 2
    : method === 'DELETE' || /\/(delete|revoke|remove|cancel)$/.test(url)
      ? 1
      : 0;
