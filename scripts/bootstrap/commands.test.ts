import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingForTerminal } from './commands.js';

it('curl, which the guides use, is named with its cure where it is missing', () => {
  const directory = mkdtempSync(join(tmpdir(), 'commands-'));
  try {
    const env = { PATH: `/nowhere:${directory}` };
    expect(missingForTerminal(env)).toEqual([
      { sentence: expect.stringContaining('apt-get install curl'), packages: ['curl'] },
    ]);
    writeFileSync(join(directory, 'curl'), '');
    chmodSync(join(directory, 'curl'), 0o755);
    expect(missingForTerminal(env)).toEqual([]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
