import {
  ANSWER_HEADERS,
  CALL_MESSAGE_RETENTION_DAYS,
  EVENT_RETENTION_DAYS,
  IDEMPOTENCY_RETENTION_HOURS,
  KEY_SCOPES,
  OPERATIONS,
  REPEATED_CODE,
  REPEATED_STATUSES,
  REQUEST_HEADERS,
  TOPIC_RETENTION_DAYS,
  UNREADABLE_MESSAGE_RETENTION_DAYS,
} from '@frontdesk/contracts';
import { exampleCommand } from '../examples/example-command.ts';
import { nodeReceiver, receiverSamples } from '../examples/samples.ts';
import type { Reader } from '../page.ts';
import { pageLink, settingsLink } from '../rendering/links.ts';
import { code, codeBlock, escapeMarkdown, list, table } from '../rendering/markdown.ts';
import { errorPath, errorTable, innerErrorTable } from './error-pages.ts';
import { eventTable } from './event-pages.ts';
import { RECORD_NAMES, recordLink } from './field-table.ts';
import { operationTables } from './operation-pages.ts';
import { planTable } from './plan-table.ts';

type Part = (reader: Reader, from: string) => string;

const same =
  (text: string): Part =>
  () =>
    text;

const headerTable = (headers: readonly { name: string; description: string }[]) =>
  table(
    ['Header', 'Meaning'],
    headers.map(({ name, description }) => [code(name), description]),
  );

/** What `{{name}}` stands for in a guide. */
export const GUIDE_PARTS: Record<string, Part> = {
  url: ({ url }) => url,
  keys: ({ settings }) => keyHint(settings),
  create_customer: ({ url, records }) => {
    const operation = OPERATIONS.find(({ id }) => id === 'create-customer');
    const text = operation ? exampleCommand(operation, url, records).text : '';
    return codeBlock('sh', 'the command that adds the example customer', text);
  },
  console: ({ url, settings }) => (settings === null ? '/docs/console' : `${url}/docs/console`),
  openapi: ({ url, settings }) => (settings === null ? '/openapi.json' : `${url}/openapi.json`),
  webhook_settings: (reader) => settingsLink(reader, 'in the settings', '/settings/api#webhooks'),
  operations: (_reader, from) => operationTables(from),
  records: (_reader, from) => list(RECORD_NAMES.map((name) => recordLink(from, name))),
  scopes: same(
    table(
      ['Scope', 'What a key with it may'],
      Object.entries(KEY_SCOPES).map(([scope, meaning]) => [code(scope), meaning]),
    ),
  ),
  errors: (_reader, from) => errorTable(from),
  event_days: same(`${EVENT_RETENTION_DAYS} days`),
  topic_days: same(`${TOPIC_RETENTION_DAYS} days`),
  message_days: same(`${CALL_MESSAGE_RETENTION_DAYS} days`),
  unreadable_days: same(`${UNREADABLE_MESSAGE_RETENTION_DAYS} days`),
  idempotency_hours: same(`${IDEMPOTENCY_RETENTION_HOURS} hours`),
  inner_errors: same(innerErrorTable()),
  repeated: (_reader, from) => {
    const link = `[${code(REPEATED_CODE)}](${pageLink(from, errorPath(REPEATED_CODE))})`;
    return `${REPEATED_STATUSES.join(', ')} and 409 ${link}`;
  },
  events: (_reader, from) => eventTable(from),
  request_headers: same(headerTable(REQUEST_HEADERS)),
  answer_headers: same(headerTable(ANSWER_HEADERS)),
  plans: same(planTable()),
  receivers: same(receiverSamples()),
  node_receiver: same(nodeReceiver()),
};

function keyHint(settings: Reader['settings']): string {
  if (settings === null || settings.keyName === undefined)
    return 'An owner or a developer of the business makes keys in the settings, on the page *API and webhooks*. A key is shown only when it is created.';
  if (settings.keyName === null) return 'You have no key yet: [create one](/settings/api#keys).';
  return `A key is shown only when it is created. If you no longer have “${escapeMarkdown(settings.keyName)}”, [create another one](/settings/api#keys).`;
}
