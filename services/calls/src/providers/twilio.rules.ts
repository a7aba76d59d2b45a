import { createHash, createHmac } from 'node:crypto';
import type { CallDirection, CallOutcome } from '@frontdesk/contracts';
import {
  type CallFacts,
  type CallPatch,
  type CallProvider,
  type ParsedMessage,
  type RawMessage,
  type SignatureFault,
  UnreadableMessage,
} from './call-provider.rules.ts';
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
} from './reading.rules.ts';
import { isSame } from './signatures.rules.ts';
import { readTranscript } from './transcript-reading.rules.ts';
import { parseIntelligence } from './twilio-intelligence.rules.ts';

/** https://www.twilio.com/docs/voice/api/call-resource#statuscallbackevent; the secret is the account's auth token. */
export const twilio: CallProvider = {
  verify: (message, secret) => isSignedByTwilio(message, secret),
  faultOf: faultOfTwilio,
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

/** No message of Twilio's comes near; sorting many more would hold everything up. */
const MAX_PARAMETERS = 1_000;

const isForm = ({ contentType }: RawMessage) =>
  /^application\/x-www-form-urlencoded\b/i.test(contentType.trim());

/**
 * X-Twilio-Signature: HMAC-SHA1 over the public URL, followed by a form's parameters in the order of their names. Any
 * other body is covered by its hash, which is a parameter of the URL. https://www.twilio.com/docs/usage/security
 */
function isSignedByTwilio(message: RawMessage, authToken: string): boolean {
  const given = message.headers['x-twilio-signature'] ?? '';
  const parameters = signedParameters(message);
  if (parameters === null || authToken === '') return false;
  const matches = signedUrls(message.url).filter((url) =>
    isSame(given, createHmac('sha1', authToken).update(`${url}${parameters}`).digest('base64')),
  );
  return matches.length > 0;
}

/** What is wrong with a message that no signature vouches for. */
function faultOfTwilio(message: RawMessage): SignatureFault {
  if (!message.headers['x-twilio-signature']) return 'signature_missing';
  const isCovered = isForm(message) || queryOf(message.url).has('bodySHA256');
  return isCovered ? 'signature_wrong' : 'body_unsigned';
}

/** What is signed beside the URL; null where nothing vouches for the body. */
function signedParameters(message: RawMessage): string | null {
  const bodyHash = queryOf(message.url).get('bodySHA256');
  if (bodyHash !== null) {
    const hash = createHash('sha256').update(message.body).digest('hex');
    return isSame(bodyHash.toLowerCase(), hash) ? '' : null;
  }
  if (!isForm(message)) return null;
  const text = new TextDecoder().decode(message.body);
  if (text.split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS) return null;
  const parameters = new URLSearchParams(text);
  // As Twilio's libraries do: each name once, the different values of a repeated one in order.
  return [...new Set(parameters.keys())]
    .sort()
    .flatMap((name) => [...new Set(parameters.getAll(name))].sort().map((value) => name + value))
    .join('');
}

const queryOf = (url: string) => new URLSearchParams(url.split('#')[0]?.split('?').slice(1).join('?') ?? '');

/** Twilio signs the standard port or leaves it out, whichever way the address is written: both are tried. */
function signedUrls(url: string): string[] {
  const [, scheme = '', host = '', port = '', rest = ''] =
    /^(https?:\/\/)(\[[^\]/?#]*\]|[^:/?#]*)(:\d*)?(.*)$/is.exec(url) ?? [];
  const standard = scheme.toLowerCase() === 'https://' ? ':443' : ':80';
  return scheme ? [`${scheme}${host}${rest}`, `${scheme}${host}${port || standard}${rest}`] : [url];
}
