import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Jest's outcome for one file of this folder, in the environment that all tests have. */
function runAlone(file: string) {
  const options = {
    roots: import.meta.dirname,
    testMatch: `**/${file}`,
    testEnvironmentOptions: JSON.stringify({ closedWithinMs: 100 }),
  };
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const jest = ['node_modules/jest/bin/jest.js', '--selectProjects', 'unit', '--forceExit', ...words];
  const cwd = join(import.meta.dirname, '../..');
  return spawnSync(process.execPath, jest, { cwd, encoding: 'utf8' });
}

it('fails a file that leaves something open, though its tests pass, and names it', () => {
  const { status, stderr } = runAlone('leaking.fixture.ts');
  expect(stderr).toMatch(/Left open after the tests: .*1 TCPServerWrap/);
  expect(status).toBe(1);
});
