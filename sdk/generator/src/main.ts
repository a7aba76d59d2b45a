import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { openApiDocument } from '@frontdesk/contracts';

/** Prints the types of API v1 and its webhooks, as sdk/typescript/src/generated/openapi.ts holds them. */
const manifest = createRequire(import.meta.url).resolve('openapi-typescript/package.json');
const generator = join(dirname(manifest), 'bin/cli.js');
const { status, stdout } = spawnSync(process.execPath, [generator, '--default-non-nullable', 'false'], {
  input: JSON.stringify(openApiDocument()),
  encoding: 'utf8',
  stdio: ['pipe', 'pipe', 'inherit'],
});
if (status !== 0) throw new Error(`openapi-typescript ended with ${status}.`);
process.stdout.write(
  `// Made by npm run generate -w @frontdesk/client-generator. Not to be edited.\n\n${stdout}`,
);
