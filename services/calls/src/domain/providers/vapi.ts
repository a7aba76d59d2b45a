import { randomBytes } from 'node:crypto';
import { type CallDirection, MAX_SUMMARY_CHARACTERS } from '@frontdesk/contracts';
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
  readText,
  readUrl,
  readWord,
} from '../reading.ts';
import { readTranscript, readTranscriptText } from '../transcript-reading.ts';
import { extractedFacts } from './vapi-analysis.ts';
import { outcomeOfReason } from './vapi-outcomes.ts';
import { bearsSecret, isSignedByVapi } from './vapi-signature.ts';

const SECRET_BYTES = 32;

/** https://docs.vapi.ai/server-url: the `end-of-call-report` states everything; the secret is that of a custom credential. */
export const vapi: CallProvider = {
  verify(message, secret, { vapi: settings }, now) {
    return settings.scheme === 'bearer'
      ? bearsSecret(message, secret)
      : isSignedByVapi(message, secret, settings, now);
  },
  parse: parseVapi,
  createSecret: () => randomBytes(SECRET_BYTES).toString('base64url'),
};

function parseVapi(message: RawMessage): ParsedMessage {
  const report = at(readJson(message), 'message');
  const type = readWord(at(report, 'type'));
  if (!type) throw new UnreadableMessage('The message has no message.type.');
  if (type !== 'end-of-call-report')
    return { kind: 'ignored', reason: `Not about a call that ended: ${type}.` };
  const providerCallId = readCallId(at(report, 'call', 'id'), 'message.call.id');
  const facts = factsOf(report);
  if (!facts.direction)
    throw new UnreadableMessage('message.call.type is none that this release knows the direction of.');
  return { kind: 'call', providerCallId, patch: { stage: 'ended', facts, isFinal: true } };
}

const DIRECTIONS: Readonly<Record<string, CallDirection>> = {
  inboundPhoneCall: 'inbound',
  outboundPhoneCall: 'outbound',
  // A call from the web: the visitor calls.
  webCall: 'inbound',
  'vapi.websocketCall': 'inbound',
};

function factsOf(report: unknown): CallFacts {
  const call = at(report, 'call');
  const artifact = at(report, 'artifact') ?? at(call, 'artifact');
  // What the report itself says comes before its copy of the call's record.
  const stated = (...path: string[]) => at(report, ...path) ?? at(call, ...path);
  const direction = lookUp(DIRECTIONS, at(call, 'type'));
  const customer = readNumber(stated('customer', 'number')) ?? readNumber(stated('customer', 'sipUri'));
  const business =
    readNumber(stated('phoneNumber', 'number')) ?? readNumber(stated('phoneNumber', 'twilioPhoneNumber'));
  const outcome = outcomeOfReason(readText(stated('endedReason'), 200));
  return known({
    direction,
    fromNumber: direction === 'outbound' ? business : customer,
    toNumber: direction === 'outbound' ? customer : business,
    startedAt: readInstant(stated('startedAt')),
    endedAt: readInstant(stated('endedAt')),
    durationSeconds: outcome === 'no_answer' ? 0 : readDuration(at(report, 'durationSeconds')),
    outcome,
    summary: readText(stated('analysis', 'summary') ?? at(report, 'summary'), MAX_SUMMARY_CHARACTERS),
    transcript: transcriptOf(artifact) ?? readTranscriptText(at(report, 'transcript')),
    recordingUrl: recordingOf(artifact) ?? readUrl(at(report, 'recordingUrl')),
    ...extractedFacts(report, artifact),
  });
}

/** The presigned addresses beside these expire within the hour. */
const recordingOf = (artifact: unknown) =>
  readUrl(at(artifact, 'recordingUrl')) ??
  readUrl(at(artifact, 'recording', 'mono', 'combinedUrl')) ??
  readUrl(at(artifact, 'stereoRecordingUrl'));

/** Nobody says the `system` message, it is the agent's instructions; `tool_calls` and their results are no speech either. */
const ROLES = { bot: 'agent', assistant: 'agent', user: 'customer' } as const;

function transcriptOf(artifact: unknown) {
  const listed = readTranscript(listAt(artifact, 'messages'), (item) => {
    const [start, time, endTime] = ['secondsFromStart', 'time', 'endTime'].map((name) => at(item, name));
    const isTimed = typeof start === 'number' && typeof time === 'number' && typeof endTime === 'number';
    return {
      role: lookUp(ROLES, at(item, 'role')),
      text: at(item, 'message'),
      start,
      end: isTimed ? start + (endTime - time) / 1_000 : undefined,
    };
  });
  return listed ?? readTranscriptText(at(artifact, 'transcript'));
}
