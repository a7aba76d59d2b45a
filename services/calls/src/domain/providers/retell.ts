import { createHmac } from 'node:crypto';
import {
  CALL_DIRECTIONS,
  CALL_SENTIMENTS,
  type CallOutcome,
  MAX_SUMMARY_CHARACTERS,
} from '@frontdesk/contracts';
import type { CallFacts, CallProvider, ParsedMessage, RawMessage } from '../call-provider.ts';
import { UnreadableMessage } from '../call-provider.ts';
import {
  at,
  known,
  listAt,
  lookUp,
  readCallId,
  readDuration,
  readInstant,
  readJson,
  readNumber,
  readOneOf,
  readText,
  readUrl,
  readWord,
} from '../reading.ts';
import { isFresh, isSame } from '../signatures.ts';
import { statedFacts } from '../stated-facts.ts';
import { readTranscript, readTranscriptText } from '../transcript-reading.ts';
import { outcomeOfReason } from './retell-outcomes.ts';

const ROLES = { agent: 'agent', transfer_target: 'agent', user: 'customer' } as const;

/** https://docs.retellai.com/features/webhook-overview: `call_ended`, then `call_analyzed`; the secret is the API key. */
export const retell: CallProvider = {
  verify(message, secret, _settings, now) {
    const match = /^v=(\d{1,15}),d=([0-9a-f]{64})$/i.exec(message.headers['x-retell-signature'] ?? '');
    const [, timestamp, given] = match ?? [];
    if (!timestamp || !given || secret === '' || !isFresh(Number(timestamp), now)) return false;
    const expected = createHmac('sha256', secret).update(message.body).update(timestamp).digest('hex');
    return isSame(given.toLowerCase(), expected);
  },
  parse: parseRetell,
  createSecret: () => null,
};

function parseRetell(message: RawMessage): ParsedMessage {
  const body = readJson(message);
  const event = readWord(at(body, 'event'));
  if (!event) throw new UnreadableMessage('The message has no event.');
  if (event !== 'call_ended' && event !== 'call_analyzed')
    return { kind: 'ignored', reason: `Not about a call that ended: ${event}.` };
  const call = at(body, 'call');
  const isAnalysed = event === 'call_analyzed';
  const providerCallId = readCallId(at(call, 'call_id'), 'call.call_id');
  const facts = factsOf(call);
  if (!facts.direction)
    throw new UnreadableMessage('Neither call.direction nor call.call_type gives the direction.');
  const stage = isAnalysed ? 'analysed' : 'ended';
  return { kind: 'call', providerCallId, patch: { stage, facts, isFinal: isAnalysed } };
}

function factsOf(call: unknown): CallFacts {
  const analysis = at(call, 'call_analysis');
  const outcome = outcomeOf(call);
  const milliseconds = at(call, 'duration_ms');
  return known({
    // A call from the web has no direction: the visitor calls.
    direction:
      readOneOf(CALL_DIRECTIONS, at(call, 'direction')) ??
      (at(call, 'call_type') === 'web_call' ? 'inbound' : undefined),
    fromNumber: readNumber(at(call, 'from_number')),
    toNumber: readNumber(at(call, 'to_number')),
    startedAt: readInstant(at(call, 'start_timestamp')),
    endedAt: readInstant(at(call, 'end_timestamp')),
    durationSeconds:
      outcome === 'no_answer'
        ? 0
        : readDuration(typeof milliseconds === 'number' ? milliseconds / 1_000 : undefined),
    outcome,
    // `Unknown` is none of ours.
    sentiment: readOneOf(CALL_SENTIMENTS, at(analysis, 'user_sentiment')),
    summary: readText(at(analysis, 'call_summary'), MAX_SUMMARY_CHARACTERS),
    transcript: transcriptOf(call),
    recordingUrl: readUrl(at(call, 'recording_url')) ?? readUrl(at(call, 'scrubbed_recording_url')),
    ...statedFacts(at(analysis, 'custom_analysis_data')),
  });
}

function outcomeOf(call: unknown): CallOutcome | undefined {
  if (at(call, 'call_analysis', 'in_voicemail') === true) return 'voicemail';
  return outcomeOfReason(at(call, 'disconnection_reason'));
}

function transcriptOf(call: unknown) {
  const listed = readTranscript(listAt(call, 'transcript_object'), (item) => {
    const words = listAt(item, 'words');
    return {
      role: lookUp(ROLES, at(item, 'role')),
      text: at(item, 'content'),
      start: at(words[0], 'start'),
      end: at(words.at(-1), 'end'),
    };
  });
  return listed ?? readTranscriptText(at(call, 'transcript'));
}
