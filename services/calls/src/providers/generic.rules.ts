import { createHmac, randomBytes } from 'node:crypto';
import {
  CALL_DIRECTIONS,
  MAX_CALL_ID_CHARACTERS,
  MAX_SUMMARY_CHARACTERS,
  SECRET_PREFIX,
  SIGNATURE_HEADERS,
  TRANSCRIPT_ROLES,
} from '@frontdesk/contracts';
import type { CallProvider, ParsedMessage, RawMessage } from './call-provider.rules.ts';
import { UnreadableMessage } from './call-provider.rules.ts';
import { factsOfExtracted } from './extracted-data.rules.ts';
import {
  at,
  known,
  listAt,
  readId,
  readInstant,
  readJson,
  readNumber,
  readOneOf,
  readText,
  readUrl,
} from './reading.rules.ts';
import { isFresh, isSame } from './signatures.rules.ts';
import { readTranscript } from './transcript-reading.rules.ts';

const SECRET_BYTES = 32;
const MIN_SECRET_BYTES = 16;
/** While a sender rotates its secrets it signs by each of them; more than a few is no rotation. */
const MAX_SIGNATURES = 10;
const TIMESTAMP = /^\d{1,12}$/;

/** Frontdesk's own message, signed as Standard Webhooks (https://www.standardwebhooks.com). */
export const generic: CallProvider = {
  verify(message, secret, _settings, now) {
    const id = message.headers[SIGNATURE_HEADERS.id] ?? '';
    const timestamp = message.headers[SIGNATURE_HEADERS.timestamp] ?? '';
    const given = (message.headers[SIGNATURE_HEADERS.signature] ?? '').split(' ');
    const key = Buffer.from(withoutPrefix(secret), 'base64');
    if (!id || !TIMESTAMP.test(timestamp) || !isFresh(Number(timestamp) * 1_000, now)) return false;
    if (key.length === 0 || given.length > MAX_SIGNATURES) return false;
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(message.body);
    const expected = `v1,${signature.digest('base64')}`;
    return given.filter((one) => isSame(one, expected)).length > 0;
  },
  faultOf({ headers }, _settings, now) {
    const { id, timestamp, signature } = SIGNATURE_HEADERS;
    const [sentId, time = '', given = ''] = [id, timestamp, signature].map((name) => headers[name]);
    if (!sentId || time === '' || given === '') return 'signature_missing';
    const signatures = given.split(' ');
    const isKnown = signatures.length <= MAX_SIGNATURES && signatures.some((one) => one.startsWith('v1,'));
    if (!isKnown || !TIMESTAMP.test(time)) return 'signature_malformed';
    return isFresh(Number(time) * 1_000, now) ? 'signature_wrong' : 'signature_expired';
  },
  parse: parseGeneric,
  createSecret: () => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64'),
  secretFault(secret) {
    const key = Buffer.from(withoutPrefix(secret), 'base64');
    // What base64 doesn't know is passed over when it is read: only what comes out the same again is all key.
    const isWhole = secret === SECRET_PREFIX + key.toString('base64');
    if (isWhole && key.length >= MIN_SECRET_BYTES) return null;
    return {
      text: `The secret field must be ${SECRET_PREFIX} and the base64 of at least ${MIN_SECRET_BYTES} bytes.`,
      reason: 'not_signing_secret',
      prefix: SECRET_PREFIX,
      least_bytes: MIN_SECRET_BYTES,
    };
  },
};

const withoutPrefix = (secret: string) =>
  secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;

/** What the fields that every message needs have to be. */
const NEEDED = {
  provider_call_id: `text of at most ${MAX_CALL_ID_CHARACTERS} characters`,
  direction: CALL_DIRECTIONS.join(' or '),
  started_at: 'a time of RFC 3339 in the years 2000 to 2099',
  ended_at: 'a time of RFC 3339 in the years 2000 to 2099',
} as const;

function parseGeneric(message: RawMessage): ParsedMessage {
  const call = readJson(message);
  const providerCallId = readId(at(call, 'provider_call_id'));
  const direction = readOneOf(CALL_DIRECTIONS, at(call, 'direction'));
  const startedAt = readInstant(at(call, 'started_at'));
  const endedAt = readInstant(at(call, 'ended_at'));
  if (!providerCallId || !direction || !startedAt || !endedAt) {
    const read = { provider_call_id: providerCallId, direction, started_at: startedAt, ended_at: endedAt };
    const unread = (Object.keys(NEEDED) as (keyof typeof NEEDED)[]).filter((name) => !read[name]);
    throw new UnreadableMessage(unread.map((name) => faultOf(name, at(call, name))).join(' '));
  }
  if (endedAt < startedAt) throw new UnreadableMessage('ended_at is before started_at.');
  const facts = known({
    direction,
    startedAt,
    endedAt,
    fromNumber: readNumber(at(call, 'from_number')),
    toNumber: readNumber(at(call, 'to_number')),
    ...factsOfExtracted(call),
    summary: readText(at(call, 'summary'), MAX_SUMMARY_CHARACTERS),
    transcript: readTranscript(listAt(call, 'transcript'), (item) => ({
      role: readOneOf(TRANSCRIPT_ROLES, at(item, 'role')),
      text: at(item, 'text'),
      start: at(item, 'start'),
      end: at(item, 'end'),
    })),
    recordingUrl: readUrl(at(call, 'recording_url')),
  });
  return { kind: 'call', providerCallId, patch: { stage: 'ended', facts, isFinal: true } };
}

/** Names the field, and never what is in it. */
const faultOf = (name: keyof typeof NEEDED, value: unknown) =>
  (value ?? null) === null ? `${name} is missing.` : `${name} must be ${NEEDED[name]}.`;
