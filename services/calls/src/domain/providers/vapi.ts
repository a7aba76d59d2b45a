import { createHmac, randomBytes } from 'node:crypto';
import type { CallDirection, CallSourceSettings } from '@frontdesk/contracts';
import type { CallFacts, CallProvider, ParsedMessage, RawMessage } from '../call-provider.ts';
import { UnreadableMessage } from '../call-provider.ts';
import {
  at,
  known,
  listAt,
  lookUp,
  MAX_SUMMARY_CHARACTERS,
  readCallId,
  readDuration,
  readInstant,
  readJson,
  readNumber,
  readText,
  readUrl,
  readWord,
} from '../reading.ts';
import { isFresh, isSame } from '../signatures.ts';
import { readTranscript, readTranscriptText } from '../transcript.ts';
import { extractedFacts } from './vapi-analysis.ts';
import { outcomeOfReason } from './vapi-outcomes.ts';

const SECRET_BYTES = 32;

/** https://docs.vapi.ai/server-url: the `end-of-call-report` tells all; the secret is that of a custom credential. */
export const vapi: CallProvider = {
  verify(message, secret, { vapi: settings }, now) {
    return settings.scheme === 'bearer' ? bears(message, secret) : isSigned(message, secret, settings, now);
  },
  parse: parseVapi,
  createSecret: () => randomBytes(SECRET_BYTES).toString('base64url'),
};

function bears({ headers }: RawMessage, secret: string): boolean {
  const [, token = ''] = /^Bearer +(.+)$/i.exec(headers.authorization ?? '') ?? [];
  const [hasToken, hasHeader] = [isSame(token, secret), isSame(headers['x-vapi-secret'] ?? '', secret)];
  return secret !== '' && (hasToken || hasHeader);
}

/** Vapi's HMAC credential: SHA-256, hex or base64, with or without the prefix `sha256=`. */
function isSigned(
  message: RawMessage,
  secret: string,
  settings: CallSourceSettings['vapi'],
  now: Date,
): boolean {
  const given = (message.headers[settings.signature_header.toLowerCase()] ?? '').replace(/^sha256=/i, '');
  const timestamp = message.headers[settings.timestamp_header.toLowerCase()] ?? '';
  const coversTime = settings.payload.includes('{timestamp}');
  // A signature that doesn't cover the body vouches for nothing.
  if (!settings.payload.includes('{body}') || secret === '') return false;
  if (coversTime && !isFresh(millisecondsOf(timestamp), now)) return false;
  const [before = '', ...after] = settings.payload.split('{body}');
  const signature = createHmac('sha256', secret).update(withTime(before, timestamp));
  for (const part of after) signature.update(message.body).update(withTime(part, timestamp));
  const expected = signature.digest();
  const [isHex, isBase64] = [
    isSame(given.toLowerCase(), expected.toString('hex')),
    isSame(given, expected.toString('base64')),
  ];
  return isHex || isBase64;
}

const withTime = (text: string, timestamp: string) => text.replaceAll('{timestamp}', () => timestamp);

/** Seconds or milliseconds since 1970, or a date. */
function millisecondsOf(timestamp: string): number {
  if (/^\d{1,11}$/.test(timestamp)) return Number(timestamp) * 1_000;
  if (/^\d{12,15}$/.test(timestamp)) return Number(timestamp);
  return readInstant(timestamp)?.getTime() ?? Number.NaN;
}

function parseVapi(message: RawMessage): ParsedMessage {
  const report = at(readJson(message), 'message');
  const type = readWord(at(report, 'type'));
  if (!type) throw new UnreadableMessage('The message has no message.type.');
  if (type !== 'end-of-call-report') return { kind: 'ignored', reason: `Not of a call that ended: ${type}.` };
  return {
    kind: 'call',
    providerCallId: readCallId(at(report, 'call', 'id'), 'message.call.id'),
    patch: { stage: 'ended', facts: factsOf(report), isFinal: true },
  };
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
  const told = (...path: string[]) => at(report, ...path) ?? at(call, ...path);
  const direction = lookUp(DIRECTIONS, at(call, 'type'));
  const customer = readNumber(told('customer', 'number')) ?? readNumber(told('customer', 'sipUri'));
  const business =
    readNumber(told('phoneNumber', 'number')) ?? readNumber(told('phoneNumber', 'twilioPhoneNumber'));
  const outcome = outcomeOfReason(readText(told('endedReason'), 200));
  return known({
    direction,
    fromNumber: direction === 'outbound' ? business : customer,
    toNumber: direction === 'outbound' ? customer : business,
    startedAt: readInstant(told('startedAt')),
    endedAt: readInstant(told('endedAt')),
    durationSeconds: outcome === 'no_answer' ? 0 : readDuration(at(report, 'durationSeconds')),
    outcome,
    summary: readText(told('analysis', 'summary') ?? at(report, 'summary'), MAX_SUMMARY_CHARACTERS),
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
  const told = readTranscript(listAt(artifact, 'messages'), (item) => {
    const [start, time, endTime] = ['secondsFromStart', 'time', 'endTime'].map((name) => at(item, name));
    const isTimed = typeof start === 'number' && typeof time === 'number' && typeof endTime === 'number';
    return {
      role: lookUp(ROLES, at(item, 'role')),
      text: at(item, 'message'),
      start,
      end: isTimed ? start + (endTime - time) / 1_000 : undefined,
    };
  });
  return told ?? readTranscriptText(at(artifact, 'transcript'));
}
