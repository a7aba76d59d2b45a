import { randomUUID } from 'node:crypto';
import type { CallProviderName } from '@frontdesk/contracts';
import { moveTimes } from './move-times.ts';
import type { Sample } from './samples.ts';

export interface Refreshing {
  /** A fresh one by default. */
  callId?: string;
  /** When the call shall have ended; without it the sample's own times stay. */
  endedAt?: Date;
}

/** The sample as a call of its own: with another id everywhere, and its times moved. */
export function refresh(
  sample: Sample,
  { callId = freshCallId(sample.provider), endedAt }: Refreshing,
): Sample {
  const body = sample.body.replaceAll(sample.callId, callId);
  return { ...sample, callId, body: endedAt ? moveTimes(body, sample.contentType, endedAt) : body };
}

function freshCallId(provider: CallProviderName): string {
  const uuid = randomUUID();
  const hex = uuid.replaceAll('-', '');
  return { generic: `sample-${uuid}`, vapi: uuid, retell: `call_${hex.slice(0, 27)}`, twilio: `CA${hex}` }[
    provider
  ];
}
