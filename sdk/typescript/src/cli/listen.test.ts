import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import {
  FROM_SOURCE,
  type Running,
  runFrontdesk,
  runTimeFolder,
  startFrontdesk,
  untilListening,
} from '../../../../tests/integration/client/command-line.ts';
import { eventually } from '../../../../tests/support/eventually.ts';
import { type Receiver, startReceiver } from '../../../../tests/support/receiver.ts';

const API_KEY = 'fd_live_thisMustNeverBeSeen';

interface Line {
  id: string;
  status: number | null;
  fault: string | null;
  detail: string | null;
  answer: string;
}

type Reply = { status: number; headers?: Record<string, string>; body?: string };

let api: Receiver;
let receiver: Receiver;
let folder: Awaited<ReturnType<typeof runTimeFolder>>;
const running: Running[] = [];

/** Ids of the events that the API has; what is above a cursor's number follows it. */
let events: string[];
let fault: Reply | null;

const feedEvent = (id: string, number: number) => ({
  ...{ id, event: 'customer.created', created_at: '2026-03-02T09:00:00Z', sequence: 1 },
  ...{ data: { id: number }, cursor: String(number) },
});

/** The feed, as far as its clients can tell: a wait without an event lasts. */
async function feed(path: string): Promise<Reply> {
  if (fault) return fault;
  const query = new URL(path, 'http://api').searchParams;
  const after = query.get('after') === 'latest' ? events.length : Number(query.get('after') ?? 0);
  if (query.has('wait')) await eventually(() => expect(fault ?? events.length).not.toBe(after));
  if (fault) return fault;
  const data = events.map((id, index) => feedEvent(id, index + 1)).slice(after);
  const meta = { next_cursor: String(events.length), has_more: false };
  return { status: 200, body: JSON.stringify({ success: true, data, meta }) };
}

const failure = (status: number, code: string, more: object = {}, headers = {}): Reply => ({
  ...{ status, headers },
  body: JSON.stringify({ success: false, code, message: `It is ${code}.`, ...more }),
});

beforeEach(async () => {
  [api, receiver, folder] = await Promise.all([startReceiver(), startReceiver(), runTimeFolder()]);
  [events, fault] = [[], null];
  api.respondWith(({ path }) => feed(path));
});
afterEach(async () => {
  // Ends what waits at the API.
  fault = { status: 503 };
  for (const listener of running.splice(0)) {
    listener.kill('SIGKILL');
    await listener.ended;
  }
  await Promise.all([api.close(), receiver.close()]);
  await folder.remove();
});

const environment = () => ({
  ...{ FRONTDESK_URL: api.url, FRONTDESK_API_KEY: API_KEY, XDG_RUNTIME_DIR: folder.path },
});

async function listening(words: string[] = ['--forward', `${receiver.url}/hooks`], env = environment()) {
  const listener = startFrontdesk(['listen', '--json', ...words], env);
  running.push(listener);
  return { listener, ...(await untilListening(listener)) };
}

const trigger = (...words: string[]) => runFrontdesk(['trigger', ...words], { XDG_RUNTIME_DIR: folder.path });

it.each<[string, Reply]>([
  ['429', failure(429, 'rate_limited', {}, { 'retry-after': '0' })],
  ['503', failure(503, 'service_unavailable', {}, { 'retry-after': '0' })],
  ['504 of a proxy in between', { status: 504, body: '<h1>Gateway time-out</h1>' }],
])('it goes on after %s, without a gap or a repetition', async (_case, given) => {
  const { listener } = await listening();
  events.push('evt_1');
  await eventually(() => expect(listener.records('event')).toHaveLength(1));
  fault = given;
  await eventually(() => expect(listener.records('note')).not.toEqual([]));
  fault = null;
  events.push('evt_2', 'evt_3');
  await eventually(() => expect(listener.records('event')).toHaveLength(3));
  expect(listener.records<Line>('event').map(({ id }) => id)).toEqual(['evt_1', 'evt_2', 'evt_3']);
});

it.each<[string, Reply, string]>([
  ['401', failure(401, 'unauthorized'), 'The API key is refused.'],
  ['403', failure(403, 'tenant_suspended'), 'It is tenant_suspended.'],
  ['410', failure(410, 'cursor_expired', { data: { oldest_cursor: '7' } }), '--from 7'],
])('%s while it listens ends it with the reason and the cursor', async (_case, given, reason) => {
  const { listener } = await listening();
  events.push('evt_1');
  await eventually(() => expect(listener.records('event')).toHaveLength(1));
  fault = given;
  expect(await listener.ended).toBe(1);
  expect(listener.stderr()).toContain(reason);
  expect(listener.records('ended')).toEqual([{ type: 'ended', cursor: '1' }]);
});

it('every kind of failure is shown as what it is, and the next event follows', async () => {
  const big = Buffer.alloc(64 * 1024, 'x');
  const replies: (Reply | 'hang up')[] = [
    { status: 500, body: 'It \u001b[2J broke.' },
    { status: 302, headers: { location: `${api.url}/elsewhere` } },
    'hang up',
    { status: 200, body: big as never },
    { status: 204 },
  ];
  receiver.respondWith(() => {
    const reply = replies.shift();
    if (reply === 'hang up' || !reply) throw new Error('hang up');
    return reply;
  });
  const { listener } = await listening();
  events.push('evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5');
  await eventually(() => expect(listener.records('event')).toHaveLength(5));
  await receiver.close();
  events.push('evt_6');
  await eventually(() => expect(listener.records('event')).toHaveLength(6));
  const lines = listener.records<Line>('event');
  expect(lines.map(({ status, fault: of }) => [status, of])).toEqual([
    [500, 'http_status'],
    [302, 'redirect'],
    [null, 'reset'],
    [200, null],
    [204, null],
    [null, 'connect'],
  ]);
  expect(lines[3]?.answer).toHaveLength(16 * 1024);
  expect(lines[5]?.detail).toBe('ECONNREFUSED');
  expect(api.requests.some(({ path }) => path.includes('elsewhere'))).toBe(false);
});

it('people get a line for each event, which commands no terminal, and never the key', async () => {
  receiver.respondWith(() => ({ status: 500, body: 'It \u001b[2J\r\nbroke.' }));
  const listener = startFrontdesk(['listen', '--forward', receiver.url], environment());
  running.push(listener);
  await eventually(() => expect(listener.stderr()).toMatch(/FRONTDESK_WEBHOOK_SECRET=whsec_\S{44}\n/));
  events.push('evt_1');
  await eventually(() =>
    expect(listener.stdout()).toMatch(
      /^\d\d:\d\d:\d\d {2}customer\.created {7}evt_1 {2}FAILED 500 {2}\d+ ms {2}It {2}\[2J broke\.\n$/,
    ),
  );
  listener.kill('SIGTERM');
  expect(await listener.ended).toBe(0);
  expect(listener.stderr()).toContain('To go on from here: --from 1\n');
  expect(listener.stdout() + listener.stderr()).not.toContain(API_KEY);
});

it('a reader of its output that goes away ends it quietly, with 0', async () => {
  const [node = '', main = ''] = FROM_SOURCE;
  const script = `"${node}" "${main}" listen --forward "${receiver.url}"; echo "ended with $?" >&2`;
  const child = spawn('/bin/sh', ['-c', `(${script}) | head -n 1`], {
    env: { PATH: process.env.PATH, ...environment() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const ended = once(child, 'close');
  await eventually(() => expect(stderr).toContain('Listening'));
  const hasEnded = () => stderr.includes('ended with');
  for (let number = 1; !hasEnded(); number += 1) {
    events.push(`evt_${number}`);
    await eventually(() => expect(hasEnded() || receiver.requests.length >= number).toBe(true));
  }
  await ended;
  expect(stderr).toContain('ended with 0');
  expect(stderr).not.toMatch(/EPIPE|error/i);
});

describe('the channel of trigger', () => {
  it('is closed to other users, and nothing is left of it at the end', async () => {
    const { listener } = await listening();
    const own = join(folder.path, 'frontdesk');
    const files = await readdir(own);
    expect(files).toHaveLength(2);
    for (const path of [own, ...files.map((file) => join(own, file))])
      expect([path, (await stat(path)).mode & 0o077]).toEqual([path, 0]);
    listener.kill();
    await listener.ended;
    expect(await readdir(own)).toEqual([]);
  });

  it('refuses whoever does not know the token', async () => {
    const { listener } = await listening();
    const own = join(folder.path, 'frontdesk');
    const { address } = JSON.parse(await readFile(join(own, `${listener.pid}.json`), 'utf8'));
    for (const authorization of [undefined, 'Bearer ', `Bearer ${'0'.repeat(64)}`]) {
      const sent = request({
        ...{ socketPath: address, method: 'POST', path: '/examples/call.ended' },
        headers: { host: 'localhost', ...(authorization && { authorization }) },
      }).end();
      const [{ statusCode }] = await once(sent, 'response');
      expect(statusCode).toBe(401);
    }
    expect(receiver.requests).toEqual([]);
  });

  it('is not opened in a folder that is open to others, and neither is a listener taken from there', async () => {
    const own = join(folder.path, 'frontdesk');
    await mkdir(own);
    await chmod(own, 0o777);
    await writeFile(
      join(own, '1.json'),
      JSON.stringify({ pid: 1, address: '/x', token: 'x', forward: null }),
    );
    const { listener } = await listening();
    expect(listener.records('note')).toEqual([
      { type: 'note', text: expect.stringContaining('closed to others') },
    ]);
    expect(await trigger('call.ended')).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('closed to others') },
    });
    expect(await readdir(own)).toEqual(['1.json']);
  });

  it('finds no listener that was killed, and says how to start one', async () => {
    const { listener } = await listening();
    listener.kill('SIGKILL');
    await listener.ended;
    expect(await trigger('call.ended')).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('frontdesk listen --forward <url>') },
    });
    expect(await readdir(join(folder.path, 'frontdesk'))).toEqual([]);
  });

  it('asks which one where several run, and goes by --forward or --pid', async () => {
    const { listener } = await listening();
    const { listener: other } = await listening([]);
    const several = await trigger('call.ended');
    expect(several).toMatchObject({ code: 2, stderr: expect.stringContaining(`--pid ${listener.pid}`) });
    expect(await trigger('call.ended', '--pid', String(other.pid))).toMatchObject({ code: 0 });
    expect(receiver.requests).toEqual([]);
    expect(await trigger('call.ended', '--forward', `${receiver.url}/hooks`)).toMatchObject({ code: 0 });
    expect(receiver.requests).toHaveLength(1);
    expect(await trigger('call.ended', '--forward', 'localhost:1')).toMatchObject({ code: 1 });
  });

  it('fails where the receiver fails', async () => {
    await listening();
    receiver.respondWith(() => ({ status: 503 }));
    expect(await trigger('call.ended')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('FAILED 503'),
    });
  });
});

it('a second listener on the same key is told why events come late', async () => {
  // A wait ends at once, as when another request of the key begins to wait.
  api.respondWith(({ path }) => {
    const isEnded = path.includes('wait=');
    return isEnded
      ? { status: 200, body: '{"success":true,"data":[],"meta":{"next_cursor":"0","has_more":false}}' }
      : feed(path);
  });
  const { listener } = await listening();
  await eventually(() =>
    expect(listener.records('note')).toEqual([
      { type: 'note', text: expect.stringContaining('its own key') },
    ]),
  );
  expect(api.requests.length).toBeLessThan(8);
});

it('an address where nobody is ends it with the cure', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  const env = { ...environment(), FRONTDESK_URL: `http://127.0.0.1:${port}` };
  expect(await runFrontdesk(['listen'], env)).toMatchObject({
    ...{ code: 1, stdout: '', stderr: expect.stringMatching(/ECONNREFUSED.*FRONTDESK_URL/) },
  });
});
