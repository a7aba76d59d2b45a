import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

it.each([
  ['types', 'openapi.ts', 'main.ts'],
  ['examples', 'event-examples.ts', 'event-examples.ts'],
])(
  'the client’s %s are those of the API: npm run generate -w @frontdesk/client-generator makes them anew',
  async (_what, file, generator) => {
    const committed = await readFile(
      join(import.meta.dirname, '../../typescript/src/generated', file),
      'utf8',
    );
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [join(import.meta.dirname, generator)], {
      maxBuffer: 2 ** 24,
    });
    expect(stdout === committed).toBe(true);
  },
);
