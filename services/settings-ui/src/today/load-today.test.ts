import { ALL_SCOPES, type CallBacks, type Day } from '@frontdesk/contracts';
import { AppError } from '@frontdesk/service';
import type { PageContext } from '../ui/page-context.ts';
import { agendaCard } from './agenda.view.ts';
import { type FollowedToday, followToday } from './load-today.ts';

const BY = { tenantId: 1, membershipId: 1, scopes: ALL_SCOPES };

beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(0));
afterEach(() => jest.restoreAllMocks());

const at = (hour: number) => `1970-01-01T0${hour}:00:00Z`;
const dayOf = (...customerIds: number[]) =>
  ({
    date: '1970-01-01',
    timezone: 'UTC',
    starts_at: at(0),
    ends_at: '1970-01-02T00:00:00Z',
    columns: [
      {
        open: [],
        appointments: customerIds.map((customer_id, nth) => ({
          id: 10 + nth,
          customer_id,
          status: 'scheduled',
          version: 1,
          staff_name: null,
          service_name: 'Haircut',
          starts_at: at(1 + nth),
          ends_at: at(2 + nth),
        })),
      },
    ],
  }) as unknown as Day;
const away = () => Promise.reject(new AppError('service_unavailable', 'It is away.'));
const callBacksOf = (open_total: number) => ({ open: [], open_total, done: [] }) as CallBacks;

/** A business whose services answer what the test sets. */
function business(day: Day) {
  let shown = day;
  const services = {
    changedDay: jest.fn(async (_tenantId: number, _date: string, seen: string | undefined) => {
      const etag = JSON.stringify(shown);
      return seen === etag ? null : { record: shown, etag };
    }),
    callBacks: jest.fn(async () => callBacksOf(0)),
    endpoints: jest.fn(async () => []),
    openHolds: jest.fn(async () => ({ open: 0, allowed: 50 })),
    byIds: jest.fn(async (_tenantId: number, ids: number[]) =>
      ids.map((id) => ({ id, name: `Name ${id}`, phone: `+4930901${820 + id}` })),
    ),
  };
  const quotaUsage = async () => ({});
  const deps = {
    appointments: { changedDay: services.changedDay },
    calls: { callBacks: services.callBacks, sources: async () => [], quotaUsage },
    customers: { byIds: services.byIds, quotaUsage },
    gateway: { tenant: async () => ({ timezone: 'UTC', country: 'DE', quotas: {} }), quotaUsage },
    scheduling: { bookability: async () => ({ obstacle: null }), openHolds: services.openHolds, quotaUsage },
    webhooks: { endpoints: services.endpoints },
    database: { forTenant: () => ({ one: async () => ({ count: 1 }) }) },
  };
  return {
    services,
    change: (to: Day) => {
      shown = to;
    },
    follow: (before?: FollowedToday) =>
      followToday(deps as unknown as Parameters<typeof followToday>[0], BY, before),
  };
}

const OWNER = { scopes: ALL_SCOPES, isSuspended: false } as PageContext;
const agenda = (shown: FollowedToday) => String(agendaCard(OWNER, shown));

it('while scheduling is away the day stays and says so, and all else goes on', async () => {
  const { services, follow } = business(dayOf(1));
  services.changedDay.mockImplementationOnce(away);
  const nothing = await follow();
  expect(agenda(nothing)).toContain('The appointments can’t be shown right now');
  const first = await follow(nothing);
  expect(await follow(first)).toBe(first);
  expect(agenda(first)).not.toContain('can’t be');

  services.changedDay.mockImplementation(away);
  services.callBacks.mockResolvedValue(callBacksOf(1));
  const old = await follow(first);
  expect(agenda(old)).toContain('can’t be updated right now, so they may be out of date');
  expect([agenda(old).includes('id="appointment-10"'), old.callBacks?.open_total]).toEqual([true, 1]);
  expect(await follow(old)).toBe(old);

  services.changedDay.mockImplementation(async () => ({ record: dayOf(1, 2), etag: 'later' }));
  const back = await follow(old);
  expect([agenda(back).includes('id="appointment-11"'), agenda(back).includes('out of date')]).toEqual([
    true,
    false,
  ]);
});

it('who didn’t answer is asked again at once, the others once a minute; nothing is drawn anew for it', async () => {
  const { services, follow } = business(dayOf(1));
  services.endpoints.mockImplementationOnce(away).mockImplementationOnce(away);
  services.byIds.mockImplementationOnce(away).mockImplementationOnce(away);
  const first = await follow();
  expect([first.endpoints, first.isNamed]).toEqual([null, false]);
  expect(await follow(first)).toBe(first);
  const whole = await follow(first);
  expect([whole.endpoints, whole.isNamed]).toEqual([[], true]);
  expect(await follow(whole)).toBe(whole);
  expect([services.endpoints.mock.calls.length, services.byIds.mock.calls.length]).toEqual([3, 3]);
  jest.spyOn(Date, 'now').mockReturnValue(60_000);
  await follow(whole);
  expect(services.endpoints).toHaveBeenCalledTimes(4);
});

it('how many times are held is asked once a minute; who can’t say is left out, also by an earlier release', async () => {
  const { services, follow } = business(dayOf(1));
  const unknown = () => Promise.reject(new AppError('not_found', 'There is no such route.'));
  services.openHolds.mockImplementationOnce(away).mockImplementationOnce(unknown);
  const first = await follow();
  expect(first.holds).toBeNull();
  expect(await follow(first)).toBe(first);
  const whole = await follow(first);
  expect(whole.holds).toEqual({ open: 0, allowed: 50 });
  expect(await follow(whole)).toBe(whole);
  expect(services.openHolds).toHaveBeenCalledTimes(3);
});

it('a button calls the number that the customer has now', async () => {
  const { services, change, follow } = business(dayOf(1, 2, 1));
  const first = await follow();
  expect(agenda(first).match(/href="tel:\+4930901821" title="030 901821"/g)).toHaveLength(2);
  change(dayOf(1, 2));
  services.byIds.mockResolvedValueOnce([
    { id: 1, name: 'Name 1', phone: '+4930901821' },
    { id: 2, name: 'Name 2', phone: '+4930901899' },
  ]);
  const second = await follow(first);
  expect(agenda(second)).toContain('title="030 901899"');
});
