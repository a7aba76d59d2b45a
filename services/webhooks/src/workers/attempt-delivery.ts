import type { ReceiverClient } from '../clients/receiver.client.ts';
import type { AttemptResult, Claim } from '../data/queue.repository.ts';
import type { RetrySchedule } from '../domain/retry.ts';
import { judge } from '../domain/verdict.ts';
import type { Signer } from './signer.ts';

interface Deps {
  receiver: ReceiverClient;
  sign: Signer;
  schedule: RetrySchedule;
}

/** Signs and sends one delivery, and judges what came of it. Null where it can't be signed here. Never rejects. */
export async function attemptDelivery(claim: Claim, deps: Deps): Promise<AttemptResult | null> {
  const signature = deps.sign(claim);
  if (signature === null) return null;
  const outcome = await deps.receiver.post(claim.url, signature, claim.body);
  return { claim, outcome, verdict: judge(outcome, claim.attempt_count + 1, deps.schedule, Date.now()) };
}
