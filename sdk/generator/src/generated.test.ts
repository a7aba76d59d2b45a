import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

it('the client that is tested here has the types and examples of the contracts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-generated-'));
  try {
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'main.ts'), folder]);
    for (const file of ['openapi.ts', 'event-examples.ts']) {
      const [made, tested] = await Promise.all(
        [folder, join(import.meta.dirname, '../../typescript/src/generated')].map((of) =>
          readFile(join(of, file), 'utf8'),
        ),
      );
      expect(tested === made).toBe(true);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
