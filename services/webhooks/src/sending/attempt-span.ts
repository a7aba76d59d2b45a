import { noteFailure, type Span, startSpan } from '@frontdesk/service';
import type { Claim } from '../queue/queue.repository.ts';
import type { AttemptOutcome } from '../receivers/attempt.rules.ts';

/** A span for an attempt, in the trace of its event; null where the event is not traced. The receiver's address may hold a token. */
export function startAttemptSpan(
  claim: Pick<Claim, 'traceparent' | 'name' | 'tenant_id' | 'attempt_count'>,
): Span | null {
  const { traceparent, name, tenant_id, attempt_count } = claim;
  if (traceparent === null) return null;
  return startSpan('deliver', {
    kind: 'client',
    parent: traceparent,
    attributes: {
      'http.request.method': 'POST',
      'frontdesk.event.type': name,
      'frontdesk.delivery.attempt': attempt_count + 1,
      'frontdesk.tenant.id': tenant_id,
    },
  });
}

export function endAttemptSpan(span: Span, { httpStatus, errorClass }: AttemptOutcome): void {
  if (httpStatus !== null) span.setAttribute('http.response.status_code', httpStatus);
  if (errorClass !== null) noteFailure(span, { code: errorClass });
  span.end();
}
