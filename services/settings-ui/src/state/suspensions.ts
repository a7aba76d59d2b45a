import type { Tenant } from '@frontdesk/contracts';

/** How long an answer is remembered, and so how late a suspension may show. */
const FRESH_MS = 3_000;
const MAX_TENANTS = 10_000;

export type IsSuspended = (tenantId: number) => Promise<boolean>;

/** Whether a tenant is suspended. While nobody can tell (null), the last answer counts; without one the tenant is active. */
export function createSuspensions(
  find: (tenantId: number) => Promise<{ status: Tenant['status'] } | null>,
): IsSuspended {
  const answers = new Map<number, { freshUntilMs: number; answer: Promise<boolean> }>();

  const ask = async (tenantId: number, latest: Promise<boolean> | false) => {
    const tenant = await find(tenantId);
    return tenant ? tenant.status === 'suspended' : latest;
  };

  return (tenantId) => {
    const known = answers.get(tenantId);
    if (known && performance.now() < known.freshUntilMs) return known.answer;
    const answer = ask(tenantId, known?.answer ?? false);
    answers.delete(tenantId);
    answers.set(tenantId, { freshUntilMs: performance.now() + FRESH_MS, answer });
    const [oldest] = answers.keys();
    if (answers.size > MAX_TENANTS && oldest !== undefined) answers.delete(oldest);
    return answer;
  };
}
