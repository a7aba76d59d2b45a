import { keptQuota, nearQuota, PLAN_QUOTAS, type QuotaName, type StatedQuotas } from './quotas.ts';

const { starter } = PLAN_QUOTAS;
const near = (quota: QuotaName, used: number, quotas?: StatedQuotas) =>
  nearQuota({ quota, used }, { plan: 'starter', quotas }) !== null;

describe('a business is near its quota', () => {
  it('from nine tenths of its plan’s, or of a raised one', () => {
    expect([near('staff', 18, starter), near('staff', 17, starter)]).toEqual([true, false]);
    const raised = { ...starter, staff: 100 };
    expect([near('staff', 90, raised), near('staff', 20, raised)]).toEqual([true, false]);
    // The record of an earlier release has no quotas.
    expect(near('staff', 18)).toBe(true);
    expect(nearQuota({ quota: 'customers', used: 45_000 }, { plan: 'starter', quotas: starter })).toBe(
      50_000,
    );
  });

  it.each(['customers', 'stored_bytes'] as const)('not before the quota of %s is in force', (quota) => {
    const { [quota]: _, ...unsettled } = starter;
    expect([near(quota, starter[quota], unsettled), near(quota, starter[quota])]).toEqual([false, false]);
  });

  it('not where it keeps what it had, before half of the tenth more is used', () => {
    const used = 60_001;
    const kept = { ...starter, customers: keptQuota(used) };
    expect([near('customers', used, kept), near('customers', 62_500, kept)]).toEqual([false, false]);
    expect(near('customers', 62_702, kept)).toBe(true);
  });
});
