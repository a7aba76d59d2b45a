import { randomUUID } from 'node:crypto';
import type { CallProviderName } from '@frontdesk/contracts';
import type { RawMessage } from '../providers/call-provider.rules.ts';

const LASTS_SECONDS = 90;
const SUMMARY = 'A test call made in the settings.';
const GREETING = 'Hello, this is a test call. Can you hear me?';
const REPLY = 'Yes, I can, and that is lovely. Thank you very much for trying it with me.';

interface TestMessage {
  id: string;
  fromNumber: string | null;
  startedAt: Date;
  endedAt: Date;
}

/** What each provider would send of an inbound call that has just ended, by nobody. */
const BODIES: Readonly<Record<CallProviderName, (test: TestMessage) => object | URLSearchParams>> = {
  generic: ({ id, fromNumber, startedAt, endedAt }) => ({
    provider_call_id: id,
    direction: 'inbound',
    from_number: fromNumber,
    to_number: null,
    started_at: startedAt.toISOString(),
    ended_at: endedAt.toISOString(),
    outcome: 'inquiry',
    summary: SUMMARY,
    transcript: [
      { role: 'agent', text: GREETING, start: 0, end: 3 },
      { role: 'customer', text: REPLY, start: 4, end: 7 },
    ],
  }),
  vapi: ({ id, fromNumber, startedAt, endedAt }) => ({
    message: {
      type: 'end-of-call-report',
      call: { id, type: 'inboundPhoneCall' },
      customer: { number: fromNumber },
      startedAt: startedAt.toISOString(),
      endedAt: endedAt.toISOString(),
      endedReason: 'customer-ended-call',
      durationSeconds: LASTS_SECONDS,
      analysis: { summary: SUMMARY },
      artifact: {
        messages: [
          { role: 'bot', message: GREETING, secondsFromStart: 0 },
          { role: 'user', message: REPLY, secondsFromStart: 4 },
        ],
      },
    },
  }),
  retell: ({ id, fromNumber, startedAt, endedAt }) => ({
    event: 'call_analyzed',
    call: {
      call_type: 'phone_call',
      call_id: id,
      direction: 'inbound',
      from_number: fromNumber,
      start_timestamp: startedAt.getTime(),
      end_timestamp: endedAt.getTime(),
      duration_ms: LASTS_SECONDS * 1_000,
      disconnection_reason: 'user_hangup',
      transcript_object: [
        { role: 'agent', content: GREETING, words: [] },
        { role: 'user', content: REPLY, words: [] },
      ],
      call_analysis: { call_summary: SUMMARY },
    },
  }),
  twilio: ({ id, fromNumber, endedAt }) =>
    new URLSearchParams({
      CallSid: id,
      From: fromNumber ?? 'anonymous',
      Direction: 'inbound',
      CallStatus: 'completed',
      CallDuration: String(LASTS_SECONDS),
      Timestamp: endedAt.toUTCString(),
    }),
};

/** A message as the provider sends it, marked as a test by its call id, and by its summary where it has one. */
export function testMessage(
  provider: CallProviderName,
  { fromNumber, now, url }: { fromNumber: string | null; now: Date; url: string },
): RawMessage {
  const startedAt = new Date(now.getTime() - LASTS_SECONDS * 1_000);
  const body = BODIES[provider]({ id: `test-${randomUUID()}`, fromNumber, startedAt, endedAt: now });
  const isForm = body instanceof URLSearchParams;
  return {
    body: Buffer.from(isForm ? body.toString() : JSON.stringify(body)),
    contentType: isForm ? 'application/x-www-form-urlencoded' : 'application/json',
    contentEncoding: '',
    headers: {},
    url,
    receivedAt: now,
  };
}
