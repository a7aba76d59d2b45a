import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  aliasesOf,
  CANONICAL_EVENTS,
  EVENT_MEANINGS,
  exampleOf,
  openApiDocument,
} from '@frontdesk/contracts';

/** Writes what the client has of the contracts, into the folder given or into its own. */
const GENERATED = join(import.meta.dirname, '../../typescript/src/generated');
const HEADER = '// Made by npm run generate -w @frontdesk/client-generator. Not to be edited.\n\n';

const [folder = GENERATED] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'openapi.ts'), HEADER + typesOfTheApi());
writeFileSync(join(folder, 'event-examples.ts'), HEADER + eventExamples());

/** The types of API v1 and its webhooks. */
function typesOfTheApi(): string {
  const manifest = createRequire(import.meta.url).resolve('openapi-typescript/package.json');
  const generator = join(dirname(manifest), 'bin/cli.js');
  const { status, stdout } = spawnSync(process.execPath, [generator, '--default-non-nullable', 'false'], {
    input: JSON.stringify(openApiDocument()),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`openapi-typescript ended with ${status}.`);
  return stdout;
}

function eventExamples(): string {
  const events = CANONICAL_EVENTS.map((name) => ({
    name,
    aliases: aliasesOf(name),
    meaning: EVENT_MEANINGS[name],
    example: exampleOf(name),
  }));
  return `/** Every event: its other names, when it is sent, and what a delivery of it looks like. */
export const EVENT_EXAMPLES = ${JSON.stringify(events, null, 2)};
`;
}
