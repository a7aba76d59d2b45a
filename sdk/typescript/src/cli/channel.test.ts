import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { runTimeFolder } from '../../../../tests/integration/client/command-line.ts';
import { openChannel } from './channel.ts';
import { explain } from './faults.ts';
import { addListener, findListeners } from './listener-folder.ts';
import type { DeliveryRecord } from './report.ts';
import { trigger } from './trigger.ts';

const DELIVERED: DeliveryRecord = {
  ...{ type: 'event', at: '2026-03-02T09:00:00Z', event: 'call.ended', id: 'evt_1', sequence: 1, test: true },
  ...{ cursor: null, status: 200, fault: null, detail: null, duration_ms: 1, answer: '' },
};

let folder: Awaited<ReturnType<typeof runTimeFolder>>;
let env: NodeJS.ProcessEnv;
const closing: (() => unknown)[] = [];

beforeEach(async () => {
  folder = await runTimeFolder();
  env = { XDG_RUNTIME_DIR: folder.path };
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await folder.remove();
});

async function open(handle: () => Promise<DeliveryRecord> = async () => DELIVERED) {
  const channel = await openChannel({ forward: null, env, handle });
  closing.push(() => channel.close());
}

const run = (...words: string[]) => {
  const lines: string[] = [];
  const out = (line: string) => void lines.push(line);
  const terminal = { out, err: out, hasColours: false, env, signal: new AbortController().signal };
  return trigger(['call.ended', ...words], terminal);
};

it('a listener with all connections taken is busy, and keeps its description and socket', async () => {
  await open();
  const [listener] = await findListeners(env);
  for (let taken = 0; taken < 16; taken += 1) {
    const socket = connect(listener?.address ?? '');
    closing.push(() => socket.destroy());
    await once(socket, 'connect');
  }
  await expect(run()).rejects.toThrow('busy. Try again.');
  expect(await readdir(join(folder.path, 'frontdesk'))).toHaveLength(2);
});

it('a listener that hangs keeps nobody from another one', async () => {
  await open();
  const hanging: Server = createServer((socket: Socket) => closing.push(() => socket.destroy()));
  const address = join(folder.path, 'hanging.sock');
  await once(hanging.listen(address), 'listening');
  closing.push(() => hanging.close());
  await addListener({ pid: 1, address, token: 'x', forward: null }, env);
  expect(await run('--pid', String(process.pid))).toBe(0);
});

it('no socket is left where the listener could not be described', async () => {
  const own = join(folder.path, 'frontdesk');
  await mkdir(join(own, `${process.pid}.json`), { recursive: true, mode: 0o700 });
  await expect(open()).rejects.toThrow();
  expect((await readdir(own)).filter((name) => name.endsWith('.sock'))).toEqual([]);
});

it('a listener that ends meanwhile says so', async () => {
  await open(() => Promise.reject('signal'));
  await expect(run()).rejects.toThrow('The listener has ended.');
});

it('what a listener or a server says commands no terminal', async () => {
  await open(() => Promise.reject(new Error('\u001b[2JIt is\nwrong.')));
  const said = await run().catch(explain);
  expect(said).toEqual({ line: '[2JIt is wrong.', exitCode: 1 });
  expect(explain(new SyntaxError('\u001b[2JOdd.')).line).toBe('[2JOdd.');
});
