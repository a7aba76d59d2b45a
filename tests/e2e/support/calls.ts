import { randomUUID } from 'node:crypto';
import type { CallSource } from '@frontdesk/contracts';
import { Webhook } from 'standardwebhooks';
import { PATIENT_MS } from '../../support/patient-env.ts';
import type { Target } from './target.ts';

export type MadeSource = Pick<CallSource, 'id' | 'ingest_url'> & { secret: string };

/** A source of the provider `generic` that makes leads of unknown callers, by the operator's command line. */
export function createCallSource({ operator }: Target, tenantId: number): Promise<MadeSource> {
  const options = ['--provider', 'generic', '--name', 'Agent', '--creates-leads'];
  return operator.json<MadeSource>(['call-source', 'create', '--tenant', String(tenantId), ...options]);
}

/** As the provider sends it, signed by a library that knows nothing of Frontdesk. */
export async function sendCall(
  { gatewayUrl }: Target,
  { ingest_url, secret }: MadeSource,
  call: object,
  at = new Date(),
): Promise<{ status: number; body: unknown }> {
  const body = JSON.stringify(call);
  const id = `msg_${randomUUID()}`;
  const answer = await fetch(new URL(new URL(ingest_url).pathname, gatewayUrl), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    },
    body,
    signal: AbortSignal.timeout(Number(PATIENT_MS)),
  });
  return { status: answer.status, body: await answer.json() };
}

/** A call of two and a half minutes, with an id of its own. */
export const endedCall = (fields: object = {}) => ({
  provider_call_id: `call-${randomUUID()}`,
  direction: 'inbound',
  from_number: '+4930901830',
  to_number: '+4930901800',
  started_at: '2026-03-02T10:00:00+01:00',
  ended_at: '2026-03-02T10:02:30+01:00',
  outcome: 'booked',
  sentiment: 'positive',
  quality_score: 91,
  summary: 'Booked a haircut.',
  transcript: [
    { role: 'agent', text: 'Salon Ringing, good morning.', start: 0, end: 2.1 },
    { role: 'customer', text: 'A haircut on Friday, please. ✂', start: 2.8, end: 5 },
  ],
  ...fields,
});
