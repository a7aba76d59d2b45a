import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { runTimeFolder } from '../../../../tests/integration/client/command-line.ts';
import { eventually } from '../../../../tests/support/eventually.ts';
import { LONG_BOUNDS } from '../../testing/long-bounds.ts';
import { BOUNDS } from './bounds.ts';
import { openChannel } from './channel.ts';
import { explain } from './exit-codes.ts';
import { addListener, findListeners } from './listener-folder.ts';
import type { DeliveryRecord } from './report.ts';
import { trigger } from './trigger.ts';

const DELIVERED: DeliveryRecord = {
  type: 'event',
  at: '2026-03-02T09:00:00Z',
  event: 'call.ended',
  id: 'evt_1',
  sequence: 1,
  test: true,
  cursor: null,
  status: 200,
  fault: null,
  detail: null,
  duration_ms: 1,
  answer: '',
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

const run = (words: string[] = [], bounds = LONG_BOUNDS) => {
  const lines: string[] = [];
  const out = (line: string) => void lines.push(line);
  const terminal = { out, err: out, hasColours: false, env, signal: new AbortController().signal };
  return trigger(['call.ended', ...words], terminal, bounds);
};

it('a listener with all connections taken is called busy, and keeps its description and socket', async () => {
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

describe('a listener that hangs', () => {
  let connections: number;
  beforeEach(async () => {
    connections = 0;
    const hanging: Server = createServer((socket: Socket) => {
      connections += 1;
      closing.push(() => socket.destroy());
    });
    const address = join(folder.path, 'hanging.sock');
    await once(hanging.listen(address), 'listening');
    closing.push(() => hanging.close());
    await addListener({ pid: 1, address, token: 'x', forward: null }, env);
  });

  it('is asked once, and named with what to do about it', async () => {
    await expect(run([], BOUNDS)).rejects.toThrow('process id 1 does not answer. If Ctrl-Z has stopped it');
    await eventually(() => expect(connections).toBe(1));
  });

  it('is listed as such beside others, and keeps no example from them', async () => {
    await open();
    // This process, too, may be late for a check of these bounds.
    await eventually(async () => {
      const listed = await run([], BOUNDS).catch((error: Error) => error.message);
      expect(listed).toMatch(/--pid 1 {2}forwards to nobody {2}\(does not answer\)$/m);
      expect(listed).toMatch(new RegExp(`--pid ${process.pid} {2}forwards to nobody$`, 'm'));
    });
    expect(await run(['--pid', String(process.pid)])).toBe(0);
  });
});

it('no file is left of a listener that could not be described', async () => {
  const own = join(folder.path, 'frontdesk');
  await mkdir(join(own, `${process.pid}.json`), { recursive: true, mode: 0o700 });
  await expect(open()).rejects.toThrow();
  expect(await readdir(own)).toEqual([`${process.pid}.json`]);
});

it('a listener stops listening even if its description can’t be removed', async () => {
  const channel = await openChannel({ forward: null, env, handle: async () => DELIVERED });
  const [listener] = await findListeners(env);
  const description = join(folder.path, 'frontdesk', `${process.pid}.json`);
  await rm(description);
  await mkdir(description);
  await expect(channel.close()).rejects.toThrow('EISDIR');
  await expect(once(connect(listener?.address ?? ''), 'connect')).rejects.toThrow('ENOENT');
});

it('a listener that ends before it answers says so', async () => {
  await open(() => Promise.reject('signal'));
  await expect(run()).rejects.toThrow('The listener has ended.');
});

it('no text of a listener or a server commands the terminal', async () => {
  await open(() => Promise.reject(new Error('\u001b[2JIt is\nwrong.')));
  const said = await run().catch(explain);
  expect(said).toEqual({ line: '[2JIt is wrong.', exitCode: 1 });
  expect(explain(new SyntaxError('\u001b[2JOdd.')).line).toBe('[2JOdd.');
});
