import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { sharedSystem } from '../support/index.ts';
import { createBusiness } from './support/business.ts';
import { ADMIN } from './support/operator.ts';
import { targetOf } from './support/target.ts';

/** Runs the command line on a terminal, and answers each of its questions. */
function onTerminal(args: readonly string[], env: NodeJS.ProcessEnv, answers: readonly string[]) {
  const command = [...ADMIN, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], { env });
  const left = [...answers];
  let shown = '';
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number | null; shown: string }>();
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk;
    if (/(Password|again): $/.test(shown)) child.stdin.write(left.shift() ?? '');
  });
  child.once('error', reject);
  child.once('close', (code) => resolve({ code, shown }));
  return promise;
}

it('asks for a password on a terminal, twice, and shows nothing of what is typed', async () => {
  const system = await sharedSystem();
  const { tenant } = await createBusiness(targetOf(system), 'Typed passwords');
  const env = {
    PATH: process.env.PATH,
    PORT_BASE: String(system.portBase),
    TERM: 'xterm',
    OPERATOR_KEY_FILE: join(system.keysDirectory, 'operator.json'),
  };
  const email = `typed-${tenant.id}@example.com`;
  const create = ['user', 'create', '--tenant', String(tenant.id), '--email', email];
  const typed = 'eleven quiet herons';

  const made = await onTerminal(create, env, [`${typed}\r`, `${typed}\r`]);
  expect([made.code, made.shown]).toEqual([0, expect.stringContaining(email)]);
  expect(made.shown).not.toContain(typed);

  const differing = await onTerminal(create, env, [`${typed}\r`, 'eleven loud herons\r']);
  expect([differing.code, differing.shown]).toEqual([
    2,
    expect.stringContaining('The two passwords differ.'),
  ]);
  // Ctrl-C.
  const left = await onTerminal(create, env, ['\x03']);
  expect([left.code, left.shown]).toEqual([2, expect.stringContaining('Nothing was changed')]);
});
