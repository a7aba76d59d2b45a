import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Jest's outcome for one file of this folder, in the environment that all tests have. */
function runAlone(file: string) {
  const jest = ['node_modules/jest/bin/jest.js', '--config', 'tests/support/fixtures.config.mjs'];
  const cwd = join(import.meta.dirname, '../..');
  // With it jest doesn't look at the standard output of its workers before the file does.
  const env = { ...process.env, CI: '1' };
  return spawnSync(process.execPath, [...jest, '--forceExit', file], { cwd, env, encoding: 'utf8' });
}

it('fails a file that leaves something open, though its tests pass, and names it', () => {
  const { status, stderr } = runAlone('leaking.fixture.ts');
  expect(stderr).toMatch(/Left open after the tests: .*1 TCPServerWrap/);
  expect(status).toBe(1);
});

it('fails a file with a statement that reaches other tenants’ rows, and names it', () => {
  const { status, stderr } = runAlone('other-tenants.fixture.ts');
  expect(stderr).toContain('read_any_call: calls is not restricted to the tenant');
  expect(status).toBe(1);
});

it('lets a file pass that writes to the standard streams', () => {
  const { status, stderr } = runAlone('printing.fixture.ts');
  expect(stderr).toMatch(/1 passed/);
  expect(status).toBe(0);
});
