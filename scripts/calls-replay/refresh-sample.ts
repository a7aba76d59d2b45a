import { randomUUID } from 'node:crypto';
import type { CallProviderName } from '@frontdesk/contracts';
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

const DATE_TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const MAIL_DATE = /\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d \+0000/g;
/** Milliseconds since 1970, of our time, as a number in JSON. */
const MILLISECONDS = /(?<=: )1\d{12}\b/g;

/** Moves every time in a message by as much as brings the last of them to `end`. */
function moveTimes(body: string, contentType: string, end: Date): string {
  if (contentType !== 'application/x-www-form-urlencoded')
    return moveBy(end.getTime() - lastTime(body), body);
  const fields = [...new URLSearchParams(body)];
  const shift = end.getTime() - Math.max(...fields.map(([, value]) => lastTime(value)));
  return new URLSearchParams(fields.map(([name, value]) => [name, moveBy(shift, value)])).toString();
}

function lastTime(text: string): number {
  const dates = [...text.matchAll(DATE_TIME), ...text.matchAll(MAIL_DATE)].map(([found]) =>
    Date.parse(found),
  );
  return Math.max(...dates, ...[...text.matchAll(MILLISECONDS)].map(([found]) => Number(found)));
}

const moveBy = (shift: number, text: string) =>
  text
    .replaceAll(DATE_TIME, (found) => new Date(Date.parse(found) + shift).toISOString())
    .replaceAll(MAIL_DATE, (found) =>
      new Date(Date.parse(found) + shift).toUTCString().replace('GMT', '+0000'),
    )
    .replaceAll(MILLISECONDS, (found) => String(Number(found) + shift));
