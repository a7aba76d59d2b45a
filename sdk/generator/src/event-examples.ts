import { aliasesOf, CANONICAL_EVENTS, EVENT_MEANINGS, exampleOf } from '@frontdesk/contracts';

/** Prints the events with their examples, as sdk/typescript/src/generated/event-examples.ts holds them. */
const events = CANONICAL_EVENTS.map((name) => ({
  name,
  aliases: aliasesOf(name),
  meaning: EVENT_MEANINGS[name],
  example: exampleOf(name),
}));

process.stdout.write(
  `// Made by npm run generate -w @frontdesk/client-generator. Not to be edited.

/** Every event: its other names, when it is sent, and what a delivery of it looks like. */
export const EVENT_EXAMPLES = ${JSON.stringify(events, null, 2)};
`,
);
