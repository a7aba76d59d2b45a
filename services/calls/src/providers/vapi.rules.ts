import { randomBytes } from 'node:crypto';
import { type CallDirection, type CallOutcome, MAX_SUMMARY_CHARACTERS } from '@frontdesk/contracts';
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
  readScore,
  readText,
  readUrl,
  readWord,
} from './reading.rules.ts';
import { readTranscript, readTranscriptText } from './transcript-reading.rules.ts';
import { bearsSecret, faultOfVapi, isSignedByVapi } from './vapi-signature.rules.ts';

/**
 * Vapi has some six hundred reasons, most of them one fault of each of its suppliers: the first line that a reason begins
 * with decides. A reason that isn't here, the ordinary end of a conversation, says nothing about the outcome.
 * https://docs.vapi.ai/calls/call-ended-reason
 */
const OUTCOMES: readonly (readonly [beginning: string, outcome: CallOutcome])[] = [
  ['assistant-forwarded-call', 'transferred'],
  ['assistant-request-returned-forwarding-phone-number', 'transferred'],
  ['call.ringing.hook-executed-transfer', 'transferred'],
  ['call.ending.hook-executed-transfer', 'transferred'],
  ['voicemail', 'voicemail'],
  ['customer-did-not-answer', 'no_answer'],
  ['customer-busy', 'no_answer'],
  ['call.ringing.sip-inbound-caller-hungup-before-call-connect', 'no_answer'],
  ['call.in-progress.error-providerfault-outbound-sip-408', 'no_answer'],
  ['call.in-progress.error-providerfault-outbound-sip-480', 'no_answer'],
  ['call.in-progress.error-providerfault-outbound-sip-486', 'no_answer'],
  ['call.in-progress.error-providerfault-outbound-sip-487', 'no_answer'],
  ['call.in-progress.error-providerfault-outbound-sip-600', 'no_answer'],
  ['call.in-progress.error-providerfault-outbound-sip-603', 'no_answer'],
  ['customer-did-not-give-microphone-permission', 'failed'],
  ['assistant-error', 'failed'],
  ['assistant-request-', 'failed'],
  ['assistant-not-', 'failed'],
  ['assistant-join-timed-out', 'failed'],
  ['call-start-error', 'failed'],
  ['call.start.', 'failed'],
  ['call.ringing.error', 'failed'],
  ['call.in-progress.error', 'failed'],
  ['database-error', 'failed'],
  ['db-error', 'failed'],
  ['license-check-failed', 'failed'],
  ['no-server-available', 'failed'],
  ['pipeline-', 'failed'],
  ['phone-call-provider-', 'failed'],
  ['scheduled-call-deleted', 'failed'],
  ['server-shutdown', 'failed'],
  ['twilio-failed', 'failed'],
  ['twilio-reported-customer-misdialed', 'failed'],
  ['unknown-error', 'failed'],
  ['vonage-failed', 'failed'],
  ['vonage-rejected', 'failed'],
  ['worker-shutdown', 'failed'],
];

const outcomeOfReason = (reason = ''): CallOutcome | undefined =>
  OUTCOMES.find(([beginning]) => reason.startsWith(beginning))?.[1];

const SECRET_BYTES = 32;

/** https://docs.vapi.ai/server-url: the `end-of-call-report` states everything; the secret is that of a custom credential. */
export const vapi: CallProvider = {
  verify(message, secret, { vapi: settings }, now) {
    return settings.scheme === 'bearer'
      ? bearsSecret(message, secret)
      : isSignedByVapi(message, secret, settings, now);
  },
  faultOf: (message, { vapi: settings }, now) => faultOfVapi(message, settings, now),
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

const MAX_OUTPUTS = 50;

/** What the assistant's analysis and structured outputs say under our own names, and how it rates the call. */
function extractedFacts(report: unknown, artifact: unknown): CallFacts {
  const outputs = at(artifact, 'structuredOutputs');
  const results = Object.values(outputs && typeof outputs === 'object' ? outputs : {}).slice(0, MAX_OUTPUTS);
  return {
    ...known({ qualityScore: ratingOf(report) }),
    ...factsOfExtracted(at(report, 'analysis', 'structuredData')),
    ...Object.assign({}, ...results.map(outputFacts)),
  };
}

/** `{name, result}`, where the result is an object of several fields, or the one that its name says. */
function outputFacts(output: unknown): CallFacts {
  const [name, result] = [readText(at(output, 'name'), 100), at(output, 'result')];
  return { ...factsOfExtracted(name && { [name]: result }), ...factsOfExtracted(result) };
}

const DESCRIPTIONS: Readonly<Record<string, number>> = { Excellent: 100, Good: 75, Fair: 50, Poor: 25 };

/** Vapi's success evaluation as a score from 0 to 100, for the rubrics that grade; the others pass or fail. */
function ratingOf(report: unknown): number | undefined {
  const given = at(report, 'analysis', 'successEvaluation');
  const rating = readText(typeof given === 'number' ? String(given) : given, 100) ?? '';
  const percent = /^(\d{1,3}(?:\.\d+)?) ?%$/.exec(rating)?.[1];
  if (percent !== undefined) return readScore(Number(percent));
  const rubric = at(report, 'assistant', 'analysisPlan', 'successEvaluationPlan', 'rubric');
  const grade = /^\d{1,3}(?:\.\d+)?$/.test(rating) ? Number(rating) : undefined;
  if (rubric === 'PercentageScale') return readScore(grade);
  if (rubric === 'NumericScale') return readScore(grade && grade * 10);
  return lookUp(DESCRIPTIONS, rating);
}
