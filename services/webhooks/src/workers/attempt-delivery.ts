import type { ReceiverClient } from '../clients/receiver.client.ts';
import type { AttemptResult, Claim } from '../data/queue.repository.ts';
import { messageIdOf } from '../domain/payload.ts';
import type { RetrySchedule } from '../domain/retry.ts';
import { signatureHeaders } from '../domain/signature.ts';
import { judge } from '../domain/verdict.ts';

/** Signs and sends one delivery, and judges what came of it. Never rejects. */
export async function attemptDelivery(
  claim: Claim,
  { receiver, schedule }: { receiver: ReceiverClient; schedule: RetrySchedule },
): Promise<AttemptResult> {
  const body = Buffer.from(claim.body);
  const signature = signatureHeaders({
    id: messageIdOf(claim.event_id),
    body,
    secret: claim.secret,
    previousSecret: claim.previous_secret,
    timestampSeconds: Math.floor(Date.now() / 1_000),
  });
  const outcome = await receiver.post(claim.url, signature, body);
  return { claim, outcome, verdict: judge(outcome, claim.attempt_count + 1, schedule, Date.now()) };
}
