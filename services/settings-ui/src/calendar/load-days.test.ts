import type { Day } from '@frontdesk/contracts';
import { AppError } from '@frontdesk/service';
import type { Clients } from '../clients/clients.ts';
import { type FollowedDays, followDays } from './load-days.ts';

const BY = { tenantId: 1, membershipId: 1, scopes: [] };

afterEach(() => jest.restoreAllMocks());

const dayOf = (...customerIds: number[]) =>
  [{ columns: [{ appointments: customerIds.map((customer_id) => ({ customer_id })) }] }] as unknown as Day[];

/** Scheduling, which knows by the days' text whether they have changed. */
const changed = (days: Day[]) => async (_appointments: unknown, seen: string | undefined) => {
  const etag = JSON.stringify(days);
  return seen === etag ? null : { record: days, etag };
};

it('names stay while crm is away, and are asked for again until it answers', async () => {
  jest.spyOn(Date, 'now').mockReturnValue(0);
  const byIds = jest.fn(async (_by: unknown, ids: number[]) => ids.map((id) => ({ id, name: `Name ${id}` })));
  const clients = { gateway: { tenant: async () => ({}) }, customers: { byIds } };
  const follow = (days: Day[], before?: FollowedDays) =>
    followDays(clients as unknown as Clients, BY, changed(days), before);
  const isAway = () => byIds.mockRejectedValueOnce(new AppError('service_unavailable', 'crm is away.'));

  isAway();
  const unnamed = await follow(dayOf(1));
  expect(unnamed.customers).toBeNull();
  const named = await follow(dayOf(1), unnamed);
  expect(named.customers).toEqual(new Map([[1, 'Name 1']]));
  expect(await follow(dayOf(1), named)).toBe(named);
  isAway();
  const booked = await follow(dayOf(1, 2), named);
  expect(booked.customers).toEqual(new Map([[1, 'Name 1']]));
  expect((await follow(dayOf(1, 2), booked)).customers?.get(2)).toBe('Name 2');
  expect(byIds).toHaveBeenCalledTimes(4);
});
