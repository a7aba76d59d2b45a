import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CALL_MESSAGE_RETENTION_DAYS,
  EVENT_RETENTION_DAYS,
  IDEMPOTENCY_RETENTION_HOURS,
  TOPIC_RETENTION_DAYS,
  UNREADABLE_MESSAGE_RETENTION_DAYS,
} from '@frontdesk/contracts';
import { SHOWN_RECORDS } from './example-command.ts';
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

it.each([
  ['docs/configuration.md', `stay for \`RETENTION_DAYS\` (${EVENT_RETENTION_DAYS}) of the webhooks service`],
  [
    'docs/configuration.md',
    `stay for \`RETENTION_DAYS\` (${CALL_MESSAGE_RETENTION_DAYS}) of the calls service`,
  ],
  ['docs/configuration.md', `Unreadable messages stay for ${UNREADABLE_MESSAGE_RETENTION_DAYS} days`],
  ['docs/configuration.md', `Kafka keeps events for ${TOPIC_RETENTION_DAYS} days`],
  ['docs/operations.md', `Kafka keeps a topic's events for ${TOPIC_RETENTION_DAYS} days`],
  ['services/webhooks/README.md', `| \`RETENTION_DAYS\` | ${EVENT_RETENTION_DAYS} |`],
  ['services/calls/README.md', `| \`RETENTION_DAYS\` | ${CALL_MESSAGE_RETENTION_DAYS} |`],
  ['services/calls/README.md', `unreadable ones after ${UNREADABLE_MESSAGE_RETENTION_DAYS} days`],
])('%s tells operators: %s', (file, statement) => {
  expect(readFileSync(join(ROOT, file), 'utf8')).toContain(statement);
});
