import type { SystemScope } from '@frontdesk/database';
import {
  type AttemptResult,
  type ClaimRequest,
  claimDeliveries,
  freeLostLeases,
  type Lease,
  oldestDueSeconds,
  recordResults,
  returnLeases,
} from '../../../services/webhooks/src/queue/queue.repository.ts';

/** What processes do to the queue, whose claims last so long. */
export const queueOn = (system: SystemScope, leaseMs: number) => ({
  claim: (request: ClaimRequest) => claimDeliveries(system, request, leaseMs),
  record: (results: readonly AttemptResult[]) => recordResults(system, results),
  returnLeases: (leases: readonly Pick<Lease, 'id' | 'lease_token'>[]) => returnLeases(system, leases),
  freeLost: () => freeLostLeases(system),
  oldestDueSeconds: () => oldestDueSeconds(system),
});
