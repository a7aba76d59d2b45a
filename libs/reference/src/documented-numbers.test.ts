import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ATTEMPTS_MINUTES,
  AUDIT_RETENTION_DAYS,
  BOTH_SECRETS_HOURS,
  CALL_MESSAGE_RETENTION_DAYS,
  CONFIRMED_MINUTES,
  COUNT_RETENTION_HOURS,
  DELIVERY_DELAYS_SECONDS,
  DELIVERY_JITTER,
  DISABLED_AFTER_DAYS,
  EVENT_RETENTION_DAYS,
  FAILED_ATTEMPTS_PER_MINUTE,
  FORM_LIVES_HOURS,
  HOLD_SECONDS,
  IDEMPOTENCY_RETENTION_HOURS,
  INVITATION_DAYS,
  KEPT_ANSWER_BYTES,
  LEAST_PACE_BYTES,
  LINK_REQUESTS,
  MAX_ALTERNATIVES,
  MAX_BODY_BYTES,
  MAX_CUSTOM_HEADERS,
  MAX_FEED_WAIT_SECONDS,
  MAX_HEAD_BYTES,
  MAX_INGEST_BYTES,
  MAX_INGEST_VALUES,
  MAX_JSON_DEPTH,
  MAX_JSON_VALUES,
  MAX_LENGTH,
  MAX_OPEN_HOLDS,
  MAX_RETRY_AFTER_HOURS,
  MAX_SLOT_DAYS,
  MAX_SLOT_WORK,
  MAX_TRANSCRIPT_BYTES,
  MISSED_BELOW_SECONDS,
  MOST_ENDED_HOLDS,
  NETWORK_ATTEMPTS,
  OUTBOX_RETENTION_DAYS,
  PASSWORD_ATTEMPTS,
  REPEATED_STATUSES,
  RESET_MINUTES,
  SESSION_DAYS,
  SESSION_IDLE_HOURS,
  SIGNATURE_TOLERANCE_MINUTES,
  TOPIC_RETENTION_DAYS,
  UNREADABLE_MESSAGE_RETENTION_DAYS,
} from '@frontdesk/contracts';
import { SHOWN_RECORDS } from './examples/example-command.ts';
import { createPages } from './pages.ts';

const ROOT = join(import.meta.dirname, '../../..');
const reader = { url: 'https://frontdesk.example.com', records: SHOWN_RECORDS, settings: null };
/** A time for which something is kept, however the sentence goes on. */
const KEPT =
  /[^.|]*\b(?:kept|keeps|stays?|goes back|expires?|repetition|was away)\b[^.|]*?\b(\d+) (days|hours)\b/g;

it('of one thing every page says the same time, that of the contract', () => {
  const stated = createPages().flatMap(({ path, markdown }) =>
    [...markdown(reader).matchAll(KEPT)].map(([, number, unit]) => `${path}: ${number} ${unit}`),
  );
  const events = `${EVENT_RETENTION_DAYS} days`;
  const answers = `${IDEMPOTENCY_RETENTION_HOURS} hours`;
  expect(new Set(stated)).toEqual(
    new Set([
      `calls: ${UNREADABLE_MESSAGE_RETENTION_DAYS} days`,
      `events: ${events}`,
      `idempotency: ${answers}`,
      `operations/list-events: ${events}`,
      `operations/list-webhook-deliveries: ${events}`,
      `webhooks: ${events}`,
      `webhooks: ${TOPIC_RETENTION_DAYS} days`,
    ]),
  );
});

it('one table of the guide on limits lists all of them', () => {
  const limits = createPages().find(({ path }) => path === 'limits');
  const table = limits?.markdown(reader).split('## How long things are kept')[1] ?? '';
  expect([...table.matchAll(/\b\d+ (?:days|hours)\b/g)].map(String)).toEqual([
    `${EVENT_RETENTION_DAYS} days`,
    `${TOPIC_RETENTION_DAYS} days`,
    `${IDEMPOTENCY_RETENTION_HOURS} hours`,
    `${CALL_MESSAGE_RETENTION_DAYS} days`,
    `${UNREADABLE_MESSAGE_RETENTION_DAYS} days`,
  ]);
});

const KIBIBYTE = 1_024;
const MEBIBYTE = 1_024 * KIBIBYTE;
const WORDS = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const inWords = (number: number) => WORDS[number] ?? String(number);
const grouped = (number: number) => number.toLocaleString('en');
const ofNetwork = (list: readonly { bits: number; limit: number }[], bits: number) =>
  list.find((network) => network.bits === bits)?.limit;
const pace = `less than ${LEAST_PACE_BYTES / KIBIBYTE} KiB in`;
const tolerance = `within ${inWords(SIGNATURE_TOLERANCE_MINUTES)} minutes of ours`;
const spaced = (text: string) => text.replace(/\s+/g, ' ');

/** The default of a variable, by the table of a service's README, which is made from the schema. */
function defaultOf(service: string, variable: string): number {
  const readme = readFileSync(join(ROOT, `services/${service}/README.md`), 'utf8');
  return Number(new RegExp(`\\| \`${variable}\` \\| (\\d+) \\|`).exec(readme)?.[1]);
}
const seconds = (service: string, variable: string) => defaultOf(service, variable) / 1_000;

it.each([
  ['docs/configuration.md', `stay for \`RETENTION_DAYS\` (${EVENT_RETENTION_DAYS}) of the webhooks service`],
  [
    'docs/configuration.md',
    `stay for \`RETENTION_DAYS\` (${CALL_MESSAGE_RETENTION_DAYS}) of the calls service`,
  ],
  ['docs/configuration.md', `Unreadable messages stay for ${UNREADABLE_MESSAGE_RETENTION_DAYS} days`],
  [
    'libs/reference/guides/appointments.md',
    `${HOLD_SECONDS.least} to ${HOLD_SECONDS.most}, or ${HOLD_SECONDS.default} if`,
  ],
  ['libs/reference/guides/appointments.md', `unless ${MOST_ENDED_HOLDS} others have ended since`],
  [
    'libs/reference/guides/limits.md',
    `at most ${MAX_OPEN_HOLDS.business} in a business and ${MAX_OPEN_HOLDS.key} of a key`,
  ],
  ['docs/operations.md', `at most ${MAX_OPEN_HOLDS.business} open holds`],
  ['docs/configuration.md', `Kafka keeps events for ${TOPIC_RETENTION_DAYS} days`],
  ['docs/operations.md', `Kafka keeps a topic's events for ${TOPIC_RETENTION_DAYS} days`],
  ['services/webhooks/README.md', `| \`RETENTION_DAYS\` | ${EVENT_RETENTION_DAYS} |`],
  ['services/calls/README.md', `| \`RETENTION_DAYS\` | ${CALL_MESSAGE_RETENTION_DAYS} |`],
  ['services/calls/README.md', `unreadable ones after ${UNREADABLE_MESSAGE_RETENTION_DAYS} days`],
  ['docs/configuration.md', `keeps what it has published for ${OUTBOX_RETENTION_DAYS} days`],
  ['docs/configuration.md', `to an \`Idempotency-Key\` stays for ${IDEMPOTENCY_RETENTION_HOURS} hours`],
  ['docs/operations.md', `those of the last ${OUTBOX_RETENTION_DAYS} days`],
  ['docs/configuration.md', `some 150 bytes, kept for ${AUDIT_RETENTION_DAYS} days`],
  ['docs/configuration.md', `The audit log stays for ${AUDIT_RETENTION_DAYS} days`],
  ['docs/security.md', `An audit log, kept for ${AUDIT_RETENTION_DAYS} days`],
  ['docs/operations.md', `requests of a business by hour, ${COUNT_RETENTION_HOURS} hours`],
  ['docs/operations.md', `sessions, ${SESSION_IDLE_HOURS} hours since their last use`],
  ['docs/operations.md', `used forms of the last ${FORM_LIVES_HOURS} hours`],
  ['docs/operations.md', `wrong by more than ${inWords(SIGNATURE_TOLERANCE_MINUTES)} minutes`],
  ['docs/security.md', `a signed time may be ${inWords(SIGNATURE_TOLERANCE_MINUTES)} minutes off`],
  ['docs/security.md', `A form's token expires after ${FORM_LIVES_HOURS} hours`],
  [
    'docs/security.md',
    `${PASSWORD_ATTEMPTS} wrong passwords for an email, and ${ofNetwork(NETWORK_ATTEMPTS, 64)}`,
  ],
  ['docs/configuration.md', `The old one signs too for ${BOTH_SECRETS_HOURS} hours`],
  ['docs/configuration.md', `once, within ${RESET_MINUTES === 60 ? 'an hour' : `${RESET_MINUTES} minutes`}`],
  ['docs/configuration.md', `A message has at most ${MAX_INGEST_BYTES / MEBIBYTE} MiB`],
  ['docs/configuration.md', `a transcript keeps ${MAX_TRANSCRIPT_BYTES / MEBIBYTE} MiB`],
  [
    'docs/compatibility.md',
    `than ${LEAST_PACE_BYTES / KIBIBYTE} KiB in ${inWords(seconds('gateway', 'INGEST_PACE_MS'))} seconds`,
  ],
  ['docs/configuration.md', `for those after ${FAILED_ATTEMPTS_PER_MINUTE} a minute`],
  ['docs/security.md', `The limit of ${FAILED_ATTEMPTS_PER_MINUTE} failures a minute`],
  ['services/gateway/README.md', `may fail ${FAILED_ATTEMPTS_PER_MINUTE} times a minute`],
  ['docs/configuration.md', `${pace} \`INGEST_PACE_MS\` (${seconds('gateway', 'INGEST_PACE_MS')} s)`],
])('%s tells operators: %s', (file, statement) => {
  expect(spaced(readFileSync(join(ROOT, file), 'utf8'))).toContain(statement);
});

it.each([
  `In ${ATTEMPTS_MINUTES === 15 ? 'a quarter of an hour' : `${ATTEMPTS_MINUTES} minutes`} ${PASSWORD_ATTEMPTS} wrong passwords`,
  `${ofNetwork(NETWORK_ATTEMPTS, 64)} from a /64, ${ofNetwork(NETWORK_ATTEMPTS, 56)} from a /56, ${ofNetwork(NETWORK_ATTEMPTS, 48)} from a /48`,
  `take ${ofNetwork(NETWORK_ATTEMPTS, 64)} void links from one address`,
  `and ${ofNetwork(LINK_REQUESTS, 64)} requests in all`,
  `last ${SESSION_IDLE_HOURS} hours without use and ${SESSION_DAYS} days at most`,
  `was not shown in the last ${CONFIRMED_MINUTES} minutes`,
  `need it within the last ${CONFIRMED_MINUTES} minutes`,
  `An invitation lasts ${inWords(INVITATION_DAYS)} days`,
  `expires** ${FORM_LIVES_HOURS} hours after its page was drawn`,
])('docs/settings.md says: %s', (statement) => {
  expect(spaced(readFileSync(join(ROOT, 'docs/settings.md'), 'utf8'))).toContain(statement);
});

const alternatives = `up to ${inWords(MAX_ALTERNATIVES)} of the nearest`;
const [firstDelay = 0, secondDelay = 0] = DELIVERY_DELAYS_SECONDS;
const STARTS_A_DAY = 1_440 / 15;
const daysFor = (staff: number) =>
  Math.min(MAX_SLOT_DAYS, Math.floor(MAX_SLOT_WORK / (STARTS_A_DAY * staff)));

it.each([
  ['appointments', alternatives],
  ['appointments', `${MAX_SLOT_DAYS} days`],
  ['calls', `less than ${MISSED_BELOW_SECONDS} seconds`],
  ['lists', `below ${MISSED_BELOW_SECONDS} seconds`],
  ['webhooks', `less than ${MISSED_BELOW_SECONDS} seconds`],
  ['webhooks', `up to ${KEPT_ANSWER_BYTES / 1_024} KiB`],
  ['events', `up to ${MAX_FEED_WAIT_SECONDS} seconds`],
  ['calls', `more than ${MAX_INGEST_BYTES / MEBIBYTE} MiB`],
  ['limits', `at most ${MAX_INGEST_BYTES / MEBIBYTE} MiB`],
  [
    'appointments',
    `may be at most ${grouped(MAX_SLOT_WORK)}: ${daysFor(50)} days for 50 staff at a step of 15`,
  ],
  ['appointments', `or ${daysFor(200)} days for 200 staff`],
  ['limits', `A body has at most ${MAX_BODY_BYTES / MEBIBYTE} MiB, and at most ${MAX_JSON_DEPTH} levels`],
  ['limits', `with ${grouped(MAX_JSON_VALUES)} values`],
  ['limits', `more than ${grouped(MAX_INGEST_VALUES)} values`],
  ['requests', `at most ${grouped(MAX_JSON_VALUES)} values`],
  ['limits', `Headers have at most ${MAX_HEAD_BYTES / KIBIBYTE} KiB`],
  ['requests', `at most ${MAX_BODY_BYTES / MEBIBYTE} MiB, with at most ${MAX_JSON_DEPTH} levels`],
  ['requests', `${pace} ${inWords(seconds('gateway', 'INGEST_PACE_MS'))} seconds`],
  ['calls', `${pace} ${inWords(seconds('gateway', 'INGEST_PACE_MS'))} seconds`],
  ['calls', `The time in the signature must be ${tolerance}`],
  ['calls', `and the time must be ${tolerance}`],
  ['calls', `\`x-retell-signature\` must be ${tolerance}`],
  ['calls', `cut at ${MAX_TRANSCRIPT_BYTES / MEBIBYTE} MiB of JSON`],
  ['lists', `the ${MAX_TRANSCRIPT_BYTES / MEBIBYTE} MiB that are kept`],
  ['webhooks', `A transcript beyond ${MAX_TRANSCRIPT_BYTES / MEBIBYTE} MiB`],
  ['calls', `or ${seconds('calls', 'ANNOUNCE_AFTER_MS')} seconds after the end is known`],
  ['calls', `\`call.ended\` waits up to ${seconds('calls', 'LINK_WAIT_MS')} seconds for that`],
  ['calls', `looked up first, for up to ${seconds('calls', 'LINK_WAIT_MS')} seconds`],
  ['webhooks', `at most ${seconds('calls', 'LINK_WAIT_MS')} seconds`],
  [
    'webhooks',
    `${inWords(DELIVERY_DELAYS_SECONDS.length + 1)} attempts: at once, ${firstDelay} seconds after`,
  ],
  [
    'webhooks',
    `${secondDelay / 60} minutes after the second, give or take a ${DELIVERY_JITTER === 0.1 ? 'tenth' : '?'}`,
  ],
  ['webhooks', `up to ${MAX_RETRY_AFTER_HOURS === 1 ? 'an hour' : `${MAX_RETRY_AFTER_HOURS} hours`}`],
  ['webhooks', `So do ${inWords(DISABLED_AFTER_DAYS)} days of failures`],
  ['phone-agent', `const REPEATED = [${REPEATED_STATUSES.join(', ')}];`],
  ['webhooks', `For the next ${BOTH_SECRETS_HOURS} hours`],
  ['operations/roll-webhook-secret', `For the next ${BOTH_SECRETS_HOURS} hours`],
  ['webhooks', `**Custom headers**: up to ${MAX_CUSTOM_HEADERS}`],
  ['webhooks', `values of up to ${grouped(MAX_LENGTH.headerValue)} visible`],
])('the guide %s says: %s', (path, statement) => {
  const guide = createPages().find((page) => page.path === path);
  expect(spaced(guide?.markdown(reader) ?? '')).toContain(statement);
});
