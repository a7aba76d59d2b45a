import {
  aliasesOf,
  answerSchema,
  CANONICAL_EVENTS,
  type CanonicalWebhookEvent,
  EVENT_MEANINGS,
  exampleOf,
  webhookBody,
} from '@frontdesk/contracts';
import type { Page } from '../page.ts';
import { pageLink } from '../rendering/links.ts';
import { code, json, paragraphs, table } from '../rendering/markdown.ts';
import { describedFields } from './described-fields.ts';
import { fieldTable } from './field-table.ts';

const eventPath = (event: CanonicalWebhookEvent) => `events/${event}`;

/** Every event that an endpoint can subscribe to. */
export const eventPages = (): Page[] =>
  CANONICAL_EVENTS.map((event) => {
    const path = eventPath(event);
    const aliases = aliasesOf(event).map(code).join(', ');
    const summary = `Sent when ${EVENT_MEANINGS[event]}.`;
    const fields = describedFields(answerSchema(webhookBody(event)));
    const text = paragraphs(
      `# ${event}`,
      `${summary}${aliases && ` Also available as ${aliases}.`}`,
      `[Webhooks](${pageLink(path, 'webhooks')}) says how it arrives, how to verify its signature, and when it comes again.`,
      '## Body',
      fieldTable(path, fields, { showsRequired: false }),
      '## Example',
      json(`the example of ${event}`, exampleOf(event)),
    );
    return { path, section: 'Events', title: event, summary, isPersonal: false, markdown: () => text };
  });

export const eventTable = (from: string): string =>
  table(
    ['Event', 'Sent when'],
    CANONICAL_EVENTS.map((event) => [
      `[${code(event)}](${pageLink(from, eventPath(event))})`,
      EVENT_MEANINGS[event],
    ]),
  );
