import type { ReceiverClient } from '../clients/receiver.client.ts';
import type { AttemptResult, Claim } from '../data/queue.repository.ts';
import type { AttemptOutcome } from '../domain/attempt.ts';
import type { RetrySchedule } from '../domain/retry.ts';
import { judge } from '../domain/verdict.ts';
import type { Signer } from './signer.ts';

interface Deps {
  receiver: ReceiverClient;
  sign: Signer;
  schedule: RetrySchedule;
}

/** Signs and sends one delivery, and judges what came of it. Never rejects. */
export async function attemptDelivery(claim: Claim, deps: Deps): Promise<AttemptResult> {
  const body = Buffer.from(claim.body);
  const signature = deps.sign(claim, body);
  const outcome = signature ? await deps.receiver.post(claim.url, signature, body) : unsigned();
  return { claim, outcome, verdict: judge(outcome, claim.attempt_count + 1, deps.schedule, Date.now()) };
}

const unsigned = (): AttemptOutcome => ({
  startedAt: new Date(),
  durationMs: 0,
  httpStatus: null,
  errorClass: 'secret',
  responseBody: null,
  requestHeaders: {},
  responseHeaders: null,
});
