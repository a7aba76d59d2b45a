import type { Bookability } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { CALL_BACK_DAYS } from '../calls/call-backs.rules.ts';
import type { Clients } from '../clients/clients.ts';
import { orNull } from '../clients/or-null.ts';
import type { By } from '../session/session.rules.ts';
import { loadStatistics } from '../statistics/load-statistics.ts';
import type { Statistics } from '../statistics/statistics.rules.ts';
import type { FirstStep } from './first-steps.rules.ts';
import { isInUse, loadFirstSteps } from './load-first-steps.ts';
import { loadQuotaUsage, nearlyFullQuotas } from './nearly-full-quotas.ts';
import type { NearlyFullQuota } from './today.rules.ts';

/** The JSON of `GET /settings`: statistics, and what needs somebody. Null: its service couldn't say in time. */
interface Overview extends Statistics {
  bookability: Bookability | null;
  /** Missed callers of the last days whom nobody has called back. */
  to_call_back: number | null;
  quotas: NearlyFullQuota[] | null;
  /** Null also for a business that has taken them, and for whoever doesn't set it up. */
  first_steps: FirstStep[] | null;
}

/** How a business does, asked for at all services side by side. Programs read all of it; Today shows a part. */
export async function gatherOverview(deps: Clients & { database: Database }, by: By): Promise<Overview> {
  const [statistics, bookability, callBacks, used] = await Promise.all([
    loadStatistics(deps, by),
    orNull(deps.scheduling.bookability(by)),
    orNull(deps.calls.callBacks(by, { days: CALL_BACK_DAYS, open: 1, done: 0 })),
    loadQuotaUsage(deps, by),
  ]);
  const { tenant, appointments } = statistics;
  const isNew = bookability !== null && appointments !== null && !isInUse(appointments);
  return {
    ...statistics,
    bookability,
    to_call_back: callBacks?.open_total ?? null,
    quotas: nearlyFullQuotas(tenant, used),
    first_steps: isNew ? await loadFirstSteps(deps, by, bookability) : null,
  };
}
