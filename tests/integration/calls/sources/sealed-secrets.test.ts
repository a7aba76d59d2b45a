import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemSql } from '@frontdesk/database';
import { request } from 'undici';
import { documentedUnder } from '../../../support/documented-commands.ts';
import { eventually, freePort } from '../../../support/index.ts';
import { type CallsWorld, type Source, startCalls } from '../calls-world.ts';

const MAY_GO = 'the others may go once every process has it first';

interface Key {
  id: string;
  key: string;
}

let calls: CallsWorld;
let directory: string;
let original: Key;
const stops: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  calls = await startCalls({ workers: [] });
  directory = await mkdtemp(join(tmpdir(), 'sealed-'));
  [original] = JSON.parse(await readFile(calls.environment().SECRET_KEYS_FILE ?? '', 'utf8')).keys;
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(async () => {
  await calls.stop();
  await rm(directory, { recursive: true });
});

const newKey = (id: string): Key => ({ id, key: randomBytes(32).toString('base64') });

/** The service as it is deployed, with these keys. */
async function startProcess(keys: Key[], sealAfterMs = 0) {
  const file = join(directory, `${randomBytes(4).toString('hex')}.json`);
  await writeFile(file, JSON.stringify({ keys }));
  const [port, internalPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, ['services/calls/src/main.ts'], {
    env: {
      ...calls.environment(),
      SECRET_KEYS_FILE: file,
      SEAL_AFTER_MS: String(sealAfterMs),
      PORT: String(port),
      INTERNAL_PORT: String(internalPort),
      PATH: process.env.PATH,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const stop = async () => {
    const exited = once(child, 'close');
    if (child.exitCode === null && child.kill('SIGTERM')) await exited;
  };
  stops.push(stop);
  await eventually(() => expect(output).toContain('"msg":"started"'));
  return { url: `http://127.0.0.1:${port}`, output: () => output, stop };
}

/** By the query that the documentation has for it: how many secrets each key has sealed. */
async function keysInUse(): Promise<Record<string, number>> {
  const commands = documentedUnder('docs/operations.md', 'Sealing keys');
  const [, query = ''] = /psql -U postgres frontdesk_calls -c "(select [^"]+)"$/m.exec(commands) ?? [];
  const rows = await calls.database.system.many(
    systemSql<{ key_id: string; count: number }>('test_calls_keys_in_use', query),
  );
  return Object.fromEntries(rows.map(({ key_id, count }) => [key_id, count]));
}

async function statusOfMessage(url: string, { path, secret }: Source): Promise<number> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'text/plain' };
  const answer = await request(url + path, {
    method: 'POST',
    headers,
    body: `no JSON ${randomBytes(4).toString('hex')}`,
  });
  await answer.body.dump();
  return answer.statusCode;
}

it('a new key takes the old one’s place: all secrets are sealed anew, the log says that the old one may go, and it may', async () => {
  const [second, third] = [newKey('second'), newKey('third')];
  const sources = await Promise.all(
    Array.from({ length: 3 }, () => calls.newSource(calls.newTenant(), 'vapi')),
  );
  const [source] = sources as [Source];
  const path = `/internal/tenants/${source.tenantId}/call-sources/${source.id}`;
  const before = await calls.admin('GET', path);
  expect(await keysInUse()).toEqual({ [original.id]: 3 });

  // A while after the start only: processes of before may not know the new key.
  const waiting = await startProcess([second, original], 600_000);
  expect(await statusOfMessage(waiting.url, source)).toBe(202);
  expect(await keysInUse()).toEqual({ [original.id]: 3 });
  await waiting.stop();

  const sealing = await startProcess([second, original]);
  await eventually(() => expect(sealing.output()).toContain(MAY_GO));
  expect(sealing.output()).toContain(`"other_key_ids":["${original.id}"]`);
  expect(await keysInUse()).toEqual({ second: 3 });
  await sealing.stop();

  const alone = await startProcess([second]);
  for (const each of sources) expect(await statusOfMessage(alone.url, each)).toBe(202);
  expect(alone.output()).not.toContain(MAY_GO);
  const after = await calls.admin('GET', path);
  expect(after.headers.etag).toBe(before.headers.etag);
  expect(after.body.data.secret_last_four).toBe(before.body.data.secret_last_four);
  await alone.stop();

  // A secret whose key is gone stays as it is, and the others don't go.
  const without = await startProcess([third, original]);
  await eventually(() => expect(without.output()).toContain('their key is missing'));
  expect(without.output()).not.toContain(MAY_GO);
  expect(await keysInUse()).toEqual({ second: 3 });
});
