import type { CallDirection, CallOutcome } from '@frontdesk/contracts';
import type { CallFacts, CallPatch, CallProvider, ParsedMessage, RawMessage } from '../call-provider.ts';
import { UnreadableMessage } from '../call-provider.ts';
import {
  known,
  lookUp,
  messageText,
  readCallId,
  readDuration,
  readInstant,
  readJson,
  readNumber,
  readUrl,
} from '../reading.ts';
import { readTranscript } from '../transcript-reading.ts';
import { parseIntelligence } from './twilio-intelligence.ts';
import { isForm, isSignedByTwilio } from './twilio-signature.ts';

/** https://www.twilio.com/docs/voice/api/call-resource#statuscallbackevent; the secret is the account's auth token. */
export const twilio: CallProvider = {
  verify: (message, secret) => isSignedByTwilio(message, secret),
  parse: (message) => (isForm(message) ? parseForm(message) : parseIntelligence(readJson(message))),
  createSecret: () => null,
};

const DIRECTIONS: Readonly<Record<string, CallDirection>> = {
  inbound: 'inbound',
  'outbound-api': 'outbound',
  'outbound-dial': 'outbound',
  'trunking-originating': 'inbound',
  'trunking-terminating': 'outbound',
};

/** Of a status that ends a call: its outcome, undefined where there was a conversation. */
const ENDED: Readonly<Record<string, CallOutcome | undefined>> = {
  completed: undefined,
  busy: 'no_answer',
  'no-answer': 'no_answer',
  canceled: 'no_answer',
  failed: 'failed',
};

const GOING_ON = ['queued', 'initiated', 'ringing', 'in-progress', 'answered'];

type Form = (name: string) => string | undefined;

function parseForm(message: RawMessage): ParsedMessage {
  const fields = new URLSearchParams(messageText(message, 'form'));
  const form: Form = (name) => fields.get(name) ?? undefined;
  const providerCallId = readCallId(form('CallSid'), 'CallSid');
  const patch = transcribed(form) ?? recorded(form) ?? statusPatch(form);
  return patch
    ? { kind: 'call', providerCallId, patch }
    : { kind: 'ignored', reason: 'Contains nothing about a call.' };
}

/** Of a recording made by <Record>, into which the caller speaks alone. */
function transcribed(form: Form): CallPatch | undefined {
  if (form('TranscriptionStatus') !== 'completed' || !form('TranscriptionText')) return undefined;
  const transcript = readTranscript([form('TranscriptionText')], (text) => ({ role: 'customer', text }));
  const recordingUrl = readUrl(form('RecordingUrl'));
  return {
    stage: 'analysed',
    facts: { ...partiesOf(form), ...known({ transcript, recordingUrl }) },
    isFinal: false,
  };
}

/** A recording is ready whenever it is: that says nothing of the call's end. */
function recorded(form: Form): CallPatch | undefined {
  const recordingUrl = readUrl(form('RecordingUrl'));
  if (!recordingUrl || form('RecordingStatus') !== 'completed') return undefined;
  return { stage: 'progress', facts: { ...partiesOf(form), recordingUrl }, isFinal: false };
}

function statusPatch(form: Form): CallPatch | undefined {
  const status = form('CallStatus');
  if (form('TranscriptionEvent') !== undefined || status === undefined) return undefined;
  if (Object.hasOwn(ENDED, status)) return endedPatch(form, ENDED[status]);
  if (!GOING_ON.includes(status)) throw new UnreadableMessage('The CallStatus is unknown.');
  const isAnswered = status === 'in-progress' || status === 'answered';
  const startedAt = isAnswered ? readInstant(form('Timestamp')) : undefined;
  return { stage: 'progress', facts: { ...partiesOf(form), ...known({ startedAt }) }, isFinal: false };
}

function endedPatch(form: Form, outcome: CallOutcome | undefined): CallPatch {
  const isMachine = form('AnsweredBy')?.startsWith('machine') ?? false;
  const facts = known({
    endedAt: readInstant(form('Timestamp')),
    durationSeconds: outcome === undefined ? readDuration(form('CallDuration')) : 0,
    outcome: outcome ?? (isMachine ? 'voicemail' : undefined),
    recordingUrl: readUrl(form('RecordingUrl')),
  });
  const parties = partiesOf(form);
  if (!parties.direction) throw new UnreadableMessage('The Direction is unknown.');
  return { stage: 'ended', facts: { ...parties, ...facts }, isFinal: false };
}

const partiesOf = (form: Form): CallFacts =>
  known({
    direction: lookUp(DIRECTIONS, form('Direction')),
    fromNumber: readNumber(form('From')),
    toNumber: readNumber(form('To')),
  });
