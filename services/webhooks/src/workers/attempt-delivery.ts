import { type Logger, SecretBoxError } from '@frontdesk/service';
import type { ReceiverClient } from '../clients/receiver.client.ts';
import type { AttemptResult, Claim } from '../data/queue.repository.ts';
import type { AttemptOutcome } from '../domain/attempt.ts';
import { messageIdOf } from '../domain/payload.ts';
import type { RetrySchedule } from '../domain/retry.ts';
import { signatureHeaders } from '../domain/signature.ts';
import type { SigningSecrets } from '../domain/signing-secrets.ts';
import { judge } from '../domain/verdict.ts';

interface Deps {
  receiver: ReceiverClient;
  secrets: SigningSecrets;
  schedule: RetrySchedule;
  logger: Logger;
}

/** Signs and sends one delivery, and judges what came of it. Never rejects. */
export async function attemptDelivery(claim: Claim, deps: Deps): Promise<AttemptResult> {
  const body = Buffer.from(claim.body);
  const signature = signed(claim, body, deps);
  const outcome = signature ? await deps.receiver.post(claim.url, signature, body) : unsigned();
  return { claim, outcome, verdict: judge(outcome, claim.attempt_count + 1, deps.schedule, Date.now()) };
}

/** Null where this process hasn't the key that the endpoint's secret is sealed with. */
function signed(claim: Claim, body: Buffer, { secrets, logger }: Deps): Record<string, string> | null {
  const { event_id, secret, previous_secret: previous } = claim;
  const owner = { tenantId: claim.tenant_id, endpointId: claim.endpoint_id };
  try {
    return signatureHeaders({
      id: messageIdOf(event_id),
      body,
      secret: secrets.open(owner, secret),
      previousSecret: previous === null ? null : secrets.open(owner, previous),
      timestampSeconds: Math.floor(Date.now() / 1_000),
    });
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    logger.error({ err: error, endpoint_id: claim.endpoint_id }, 'a delivery can’t be signed');
    return null;
  }
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
