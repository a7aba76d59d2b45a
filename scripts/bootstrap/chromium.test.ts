import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPath, missingForBrowser } from './chromium.js';

describe('the browser of the tests', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'chromium-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is looked for on the path, and named with its cure where it is missing', () => {
    const env = { PATH: `/nowhere:${directory}` };
    expect(chromiumPath(env)).toBeUndefined();
    expect(missingForBrowser(env)).toEqual([
      {
        sentence: expect.stringContaining('apt-get install chromium'),
        packages: ['chromium-headless-shell', 'chromium'],
      },
    ]);
    const path = join(directory, 'google-chrome');
    writeFileSync(path, '');
    chmodSync(path, 0o755);
    expect(chromiumPath(env)).toBe(path);
    expect(missingForBrowser(env)).toEqual([]);
  });

  it('is the one that is given', () => {
    expect(chromiumPath({ PATH: directory, CHROMIUM_PATH: '/opt/chrome' })).toBe('/opt/chrome');
  });
});
