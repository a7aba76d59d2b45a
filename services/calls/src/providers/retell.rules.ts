import { createHmac } from 'node:crypto';
import {
  CALL_DIRECTIONS,
  CALL_SENTIMENTS,
  type CallOutcome,
  MAX_SUMMARY_CHARACTERS,
} from '@frontdesk/contracts';
import {
  type CallFacts,
  type CallProvider,
  type ParsedMessage,
  type RawMessage,
  UnreadableMessage,
} from './call-provider.rules.ts';
import { factsOfExtracted } from './extracted-data.rules.ts';
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
} from './reading.rules.ts';
import { isFresh, isSame } from './signatures.rules.ts';
import { readTranscript, readTranscriptText } from './transcript-reading.rules.ts';

/** https://docs.retellai.com/reliability/debug-call-disconnect; a reason that isn't here says nothing about the outcome. */
const OUTCOMES: Readonly<Record<string, CallOutcome>> = {
  call_transfer: 'transferred',
  transfer_bridged: 'transferred',
  voicemail_reached: 'voicemail',
  dial_busy: 'no_answer',
  dial_no_answer: 'no_answer',
  user_declined: 'no_answer',
  error_user_not_joined: 'no_answer',
  registered_call_timeout: 'no_answer',
  dial_failed: 'failed',
  invalid_destination: 'failed',
  telephony_provider_permission_denied: 'failed',
  telephony_provider_unavailable: 'failed',
  sip_routing_error: 'failed',
  marked_as_spam: 'failed',
  scam_detected: 'failed',
  concurrency_limit_reached: 'failed',
  no_concurrency_fallback: 'failed',
  no_valid_payment: 'failed',
  error_llm_websocket_open: 'failed',
  error_llm_websocket_lost_connection: 'failed',
  error_llm_websocket_runtime: 'failed',
  error_llm_websocket_corrupt_payload: 'failed',
  error_no_audio_received: 'failed',
  error_asr: 'failed',
  error_retell: 'failed',
  error_unknown: 'failed',
};

const outcomeOfReason = (reason: unknown) => lookUp(OUTCOMES, reason);

const ROLES = { agent: 'agent', transfer_target: 'agent', user: 'customer' } as const;

const SIGNATURE_HEADER = 'x-retell-signature';
const SIGNATURE = /^v=(\d{1,15}),d=([0-9a-f]{64})$/i;

/** https://docs.retellai.com/features/webhook-overview: `call_ended`, then `call_analyzed`; the secret is the API key. */
export const retell: CallProvider = {
  verify(message, secret, _settings, now) {
    const [, timestamp, given] = SIGNATURE.exec(message.headers[SIGNATURE_HEADER] ?? '') ?? [];
    if (!timestamp || !given || secret === '' || !isFresh(Number(timestamp), now)) return false;
    const expected = createHmac('sha256', secret).update(message.body).update(timestamp).digest('hex');
    return isSame(given.toLowerCase(), expected);
  },
  faultOf({ headers }, _settings, now) {
    const { [SIGNATURE_HEADER]: signature = '' } = headers;
    if (signature === '') return 'signature_missing';
    const [, timestamp] = SIGNATURE.exec(signature) ?? [];
    if (!timestamp) return 'signature_malformed';
    return isFresh(Number(timestamp), now) ? 'signature_wrong' : 'signature_expired';
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
    ...factsOfExtracted(at(analysis, 'custom_analysis_data')),
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
