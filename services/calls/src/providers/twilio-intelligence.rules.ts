import { CALL_SENTIMENTS, MAX_SUMMARY_CHARACTERS, type Utterance } from '@frontdesk/contracts';
import { type CallFacts, type ParsedMessage, UnreadableMessage } from './call-provider.rules.ts';
import { factsOfExtracted } from './extracted-data.rules.ts';
import { at, known, listAt, readOneOf, readText } from './reading.rules.ts';
import { readTranscript } from './transcript-reading.rules.ts';

const MAX_RESULTS = 100;

/**
 * What Conversational Intelligence found out about a call: operator results in either of its forms (a transcript's of
 * API v2, a rule execution's of v3), and a transcript's sentences. Neither names the call of its own accord: v2 has its
 * `customer_key`, v3 the ids that a result refers to. https://www.twilio.com/docs/conversational-intelligence
 */
export function parseIntelligence(body: object): ParsedMessage {
  const results = [...listAt(body, 'operator_results'), ...listAt(body, 'operatorResults')].slice(
    0,
    MAX_RESULTS,
  );
  const facts: CallFacts = {
    ...Object.assign({}, ...results.map(factsOf)),
    ...known({ transcript: transcriptOf(body) }),
  };
  if (Object.keys(facts).length === 0)
    return { kind: 'ignored', reason: 'Announces a transcript, but does not contain it.' };
  const references = results.flatMap((result) => listAt(result, 'referenceIds').slice(0, MAX_RESULTS));
  const keys = ['CallSid', 'call_sid', 'customer_key', 'customerKey'].map((name) => at(body, name));
  const providerCallId = [...keys, ...references].find(isCallSid);
  if (!providerCallId)
    throw new UnreadableMessage(
      'The result does not identify its call: set the customer_key of the transcript to the CallSid.',
    );
  return { kind: 'call', providerCallId, patch: { stage: 'analysed', facts, isFinal: false } };
}

const isCallSid = (value: unknown): value is string =>
  typeof value === 'string' && /^CA[0-9a-zA-Z]{8,62}$/.test(value);

function factsOf(result: unknown): CallFacts {
  const name = readText(at(result, 'name') ?? at(result, 'operator', 'displayName'), 200) ?? '';
  const label = at(result, 'predicted_label') ?? at(result, 'result', 'label');
  const text = at(result, 'text_generation_results', 'result') ?? at(result, 'result', 'text');
  return {
    ...known({
      sentiment: /sentiment/i.test(name) ? readOneOf(CALL_SENTIMENTS, label) : undefined,
      summary: /summar/i.test(name) ? readText(text, MAX_SUMMARY_CHARACTERS) : undefined,
    }),
    ...factsOfExtracted(at(result, 'json_results', 'result') ?? at(result, 'json_results')),
    ...factsOfExtracted(at(result, 'result')),
  };
}

function transcriptOf(body: object): Utterance[] | undefined {
  const participants = listAt(body, 'channel', 'participants').slice(0, MAX_RESULTS);
  const customer = participants.find((one) => /^customer$/i.test(String(readText(at(one, 'role'), 50))));
  // By default, Twilio takes the second channel for the customer's.
  const customerChannel = at(customer, 'channel_participant') ?? 2;
  return readTranscript(listAt(body, 'sentences'), (sentence) => ({
    role: at(sentence, 'media_channel') === customerChannel ? 'customer' : 'agent',
    text: at(sentence, 'transcript'),
    start: secondsOf(at(sentence, 'start_time')),
    end: secondsOf(at(sentence, 'end_time')),
  }));
}

/** Decimals come as text. */
const secondsOf = (value: unknown) =>
  typeof value === 'string' && /^\d{1,7}(?:\.\d{1,6})?$/.test(value) ? Number(value) : value;
