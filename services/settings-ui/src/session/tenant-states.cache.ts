import { PLAN_LIMITS, type Tenant } from '@frontdesk/contracts';

/** How long an answer is remembered, and so how late a suspension may show. */
const FRESH_MS = 3_000;
const MAX_TENANTS = 10_000;

interface TenantState {
  /** Null while nobody can tell. */
  name: string | null;
  isSuspended: boolean;
  /** As many changes in a UTC day as its plan allows API requests; the two are counted apart. */
  changesPerDay: number;
}

export type TenantStateOf = (tenantId: number) => Promise<TenantState>;

/** Nobody is kept out because the gateway is away. */
const UNKNOWN: TenantState = { name: null, isSuspended: false, changesPerDay: PLAN_LIMITS.enterprise.perDay };

/**
 * What a tenant may do on the pages. While nobody can tell (null), the last answer counts; without one the tenant is
 * active, and its plan the largest.
 */
export function createTenantStates(
  find: (tenantId: number) => Promise<Pick<Tenant, 'name' | 'status' | 'plan'> | null>,
): TenantStateOf {
  const answers = new Map<number, { freshUntilMs: number; answer: Promise<TenantState> }>();

  const ask = async (tenantId: number, latest: Promise<TenantState> | undefined): Promise<TenantState> => {
    const tenant = await find(tenantId);
    if (!tenant) return latest ?? UNKNOWN;
    return {
      name: tenant.name,
      isSuspended: tenant.status === 'suspended',
      changesPerDay: PLAN_LIMITS[tenant.plan].perDay,
    };
  };

  return (tenantId) => {
    const known = answers.get(tenantId);
    if (known && performance.now() < known.freshUntilMs) return known.answer;
    const answer = ask(tenantId, known?.answer);
    answers.delete(tenantId);
    answers.set(tenantId, { freshUntilMs: performance.now() + FRESH_MS, answer });
    const [oldest] = answers.keys();
    if (answers.size > MAX_TENANTS && oldest !== undefined) answers.delete(oldest);
    return answer;
  };
}
