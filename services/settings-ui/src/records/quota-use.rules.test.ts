import { keptQuota, PLAN_QUOTAS, type QuotaName, type StatedQuotas } from '@frontdesk/contracts';
import { NO_REGION } from '../region/region.rules.ts';
import { quotaLine, unlessFull } from './quota.view.ts';
import { isFull, quotaUse } from './quota-use.rules.ts';

const { starter } = PLAN_QUOTAS;
const useOf = (name: QuotaName, used: number, quotas: StatedQuotas) =>
  quotaUse(name, { plan: 'starter', quotas }, used);

it.each(['customers', 'stored_bytes'] as const)(
  'says nothing of a quota of %s before it is in force',
  (name) => {
    const { [name]: allowed, ...unsettled } = starter;
    const use = useOf(name, 2 * allowed, unsettled);
    expect([use, isFull(use), quotaLine(NO_REGION, use), unlessFull(use, 'form')]).toEqual([
      null,
      false,
      false,
      'form',
    ]);
    expect(isFull(useOf(name, allowed, starter))).toBe(true);
  },
);

it('warns of what a business keeps from before only when half of the tenth more is used', () => {
  const kept = { ...starter, customers: keptQuota(60_000) };
  const isNear = (used: number) => useOf('customers', used, kept)?.isNearlyFull;
  expect([isNear(60_000), isNear(62_600), isNear(62_701)]).toEqual([false, false, true]);
});

it('warns of any other quota from 80 % on', () => {
  expect([15, 16].map((used) => useOf('staff', used, starter)?.isNearlyFull)).toEqual([false, true]);
});
