import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

it('the client’s types are those of the API: npm run generate -w @frontdesk/client-generator makes them anew', async () => {
  const committed = await readFile(
    join(import.meta.dirname, '../../typescript/src/generated/openapi.ts'),
    'utf8',
  );
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    maxBuffer: 2 ** 24,
  });
  expect(stdout === committed).toBe(true);
});
