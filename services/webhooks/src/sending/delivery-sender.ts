import type { Logger } from '@frontdesk/service';
import type { Claim } from '../queue/queue.repository.ts';
import type { RetrySchedule } from '../queue/retry.rules.ts';
import { judge } from '../queue/verdict.rules.ts';
import type { AttemptOutcome } from '../receivers/attempt.rules.ts';
import type { ReceiverClient } from '../receivers/receiver.client.ts';
import type { SigningSecrets } from '../secrets/signing-secrets.cache.ts';
import { endAttemptSpan, startAttemptSpan } from './attempt-span.ts';
import type { ResultRecorder } from './result-recorder.ts';
import { createSigner } from './signer.ts';

/** When a delivery that this process can't sign is tried again, by whichever process. */
const UNSIGNED_RETRY_MS = 30_000;

/** Signs and posts deliveries that are leased, and has what came of it recorded. */
export function createDeliverySender(options: {
  receiver: ReceiverClient;
  secrets: SigningSecrets;
  schedule: RetrySchedule;
  recorder: Pick<ResultRecorder, 'record' | 'returnLeases'>;
  /** A delivery could not be signed. */
  onUnsigned: () => void;
  unsignedRetryMs?: number | undefined;
  logger: Logger;
}) {
  const { receiver, schedule, recorder, onUnsigned, unsignedRetryMs = UNSIGNED_RETRY_MS } = options;
  const sign = createSigner(options);
  const attempts = new Set<Promise<unknown>>();

  /** Null where it can't be signed. */
  const post = async (claim: Claim): Promise<AttemptOutcome | null> => {
    const headers = sign(claim);
    if (!headers) return null;
    const span = startAttemptSpan(claim);
    const outcome = await receiver.post(claim.url, headers.signature, claim.body, headers.own);
    if (span) endAttemptSpan(span, outcome);
    return outcome;
  };

  return {
    /** Resolves once the result is written, with the time until the delivery is due again: null where it has ended. */
    async send(claim: Claim): Promise<number | null> {
      const attempt = post(claim);
      attempts.add(attempt);
      const outcome = await attempt;
      attempts.delete(attempt);
      if (outcome === null) {
        // The operator lacks a key here: the endpoint is not to blame, and another process may have it.
        onUnsigned();
        await recorder.returnLeases([claim], unsignedRetryMs);
        return unsignedRetryMs;
      }
      const verdict = judge(outcome, claim.attempt_count + 1, schedule, Date.now());
      await recorder.record({ claim, outcome, verdict });
      return verdict.delayMs;
    },
    inFlight: () => attempts.size,
    /** Lets what is in flight finish, within its deadline; `send` hands each result over before this goes on. */
    async stop() {
      await Promise.all(attempts);
      await receiver.stop();
    },
  };
}
