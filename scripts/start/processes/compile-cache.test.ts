import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '../../repository.ts';
import { ensureCompileCache } from './compile-cache.ts';
import { NODE_FLAGS, PRELOADED } from './node-settings.ts';

it('a service finds all of its sources in the cache, its entry and what is preloaded too', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'compile-cache-'));
  try {
    const cache = join(directory, 'cache');
    const { signal } = new AbortController();
    await ensureCompileCache({ directory: cache, repository: REPOSITORY, services: ['settings-ui'], signal });
    const filled = (await readdir(cache, { recursive: true })).sort();

    const entry = join(REPOSITORY, 'services/settings-ui/src/main.ts');
    await promisify(execFile)(
      process.execPath,
      [...NODE_FLAGS, '--import', PRELOADED, entry, '--load-only'],
      { env: { NODE_COMPILE_CACHE: cache } },
    );
    expect((await readdir(cache, { recursive: true })).sort()).toEqual(filled);
    expect(filled.length).toBeGreaterThan(100);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
