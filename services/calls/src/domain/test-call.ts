import type { TestCall } from '@frontdesk/contracts';
import { type CallColumns, callColumns } from './call-columns.ts';
import type { RawMessage } from './call-provider.ts';
import type { CallSourceRow } from './call-source.ts';
import { foldCall } from './fold-call.ts';
import { PROVIDERS } from './providers/index.ts';
import { statedTranscript } from './transcript-choice.ts';

type Transcript = TestCall['call']['transcript'];

/** What a test message of this source comes to. */
export function readTestCall({ provider, settings }: CallSourceRow, message: RawMessage) {
  const parsed = PROVIDERS[provider].parse(message);
  if (parsed.kind !== 'call') throw new Error(`The test message of ${provider} is about no call.`);
  const stated = statedTranscript(parsed.patch);
  const columns = callColumns(foldCall([parsed.patch]).facts, {
    endToldAt: message.receivedAt,
    lexiconSentiment: settings.classifies_sentiment ? (stated?.sentiment ?? null) : null,
  });
  const transcript: Transcript = stated ? JSON.parse(stated.json) : [];
  return { columns, transcript };
}

/** The record that the call would have. */
export const testCallRecord = (columns: CallColumns, transcript: Transcript): TestCall['call'] => ({
  direction: columns.direction ?? 'inbound',
  from_number: columns.from_number,
  to_number: columns.to_number,
  started_at: columns.started_at.toISOString(),
  ended_at: columns.ended_at.toISOString(),
  duration: columns.duration_seconds,
  missed: columns.is_missed,
  outcome: columns.outcome,
  sentiment: columns.sentiment,
  sentiment_source: columns.sentiment_source,
  summary: columns.summary,
  transcript,
});
