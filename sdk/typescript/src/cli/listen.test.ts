import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { FROM_SOURCE, runFrontdesk } from '../../../../tests/integration/client/command-line.ts';
import { eventually } from '../../../../tests/support/eventually.ts';
import { freePort } from '../../../../tests/support/ports.ts';
import { createListenWorld } from '../../testing/listen-world.ts';
import type { Reply } from '../../testing/scripted-feed.ts';
import { API_KEY } from '../../testing/scripted-server.ts';

interface Line {
  id: string;
  status: number | null;
  fault: string | null;
  detail: string | null;
  answer: string;
}

const failure = (status: number, code: string, more: object = {}, headers = {}): Reply => ({
  status,
  headers,
  body: JSON.stringify({ success: false, code, message: `It is ${code}.`, ...more }),
});

let world: Awaited<ReturnType<typeof createListenWorld>>;
beforeEach(async () => {
  world = await createListenWorld();
});
afterEach(() => world.close());

it.each<[string, Reply]>([
  ['429', failure(429, 'rate_limited', {}, { 'retry-after': '0' })],
  ['503', failure(503, 'service_unavailable', {}, { 'retry-after': '0' })],
  ['504 of a proxy in between', { status: 504, body: '<h1>Gateway time-out</h1>' }],
])('it goes on after %s, without a gap or a repetition', async (_case, given) => {
  const listener = await world.listening();
  world.feed.events.push('evt_1');
  await eventually(() => expect(listener.records('event')).toHaveLength(1));
  world.feed.fault = given;
  await eventually(() => expect(listener.records('note')).not.toEqual([]));
  world.feed.fault = null;
  world.feed.events.push('evt_2', 'evt_3');
  await eventually(() => expect(listener.records('event')).toHaveLength(3));
  expect(listener.records<Line>('event').map(({ id }) => id)).toEqual(['evt_1', 'evt_2', 'evt_3']);
});

it('a wait before the first answer is no silence: a line says how long it takes', async () => {
  world.feed.fault = failure(429, 'rate_limited', {}, { 'retry-after': '3' });
  const listener = world.start([]);
  await eventually(() => expect(listener.stderr()).toMatch(/No events: It is rate_limited.*again in [34] s/));
  expect(listener.stderr()).not.toContain('Listening to');
  world.feed.fault = null;
  await eventually(() => expect(listener.stderr()).toContain('Listening to'));
});

it.each<[string, Reply, string]>([
  ['401', failure(401, 'unauthorized'), 'The API key is refused.'],
  ['403', failure(403, 'tenant_suspended'), 'It is tenant_suspended.'],
  ['410', failure(410, 'cursor_expired', { data: { oldest_cursor: '7' } }), '--from 7'],
])('%s while it listens ends it with the reason and the cursor', async (_case, given, reason) => {
  const listener = await world.listening();
  world.feed.events.push('evt_1');
  await eventually(() => expect(listener.records('event')).toHaveLength(1));
  world.feed.fault = given;
  expect(await listener.ended).toBe(1);
  expect(listener.stderr()).toContain(reason);
  expect(listener.records('ended')).toEqual([{ type: 'ended', cursor: '1' }]);
});

it('every kind of failure is shown as what it is, and the next event follows', async () => {
  const big = Buffer.alloc(64 * 1024, 'x');
  const replies: (Reply | 'hang up')[] = [
    { status: 500, body: 'It \u001b[2J broke.' },
    { status: 302, headers: { location: `${world.feed.api.url}/elsewhere` } },
    'hang up',
    { status: 200, body: big },
    { status: 204 },
  ];
  world.receiver.respondWith(() => {
    const reply = replies.shift();
    if (reply === 'hang up' || !reply) throw new Error('hang up');
    return reply;
  });
  const listener = await world.listening();
  world.feed.events.push('evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5');
  await eventually(() => expect(listener.records('event')).toHaveLength(5));
  await world.receiver.close();
  world.feed.events.push('evt_6');
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
  expect(world.feed.api.requests.some(({ path }) => path.includes('elsewhere'))).toBe(false);
});

it('people get a line for each event, which commands no terminal, and never the key', async () => {
  world.receiver.respondWith(() => ({ status: 500, body: 'It \u001b[2J\r\nbroke.' }));
  const listener = world.start(['--forward', world.receiver.url]);
  await eventually(() => expect(listener.stderr()).toMatch(/FRONTDESK_WEBHOOK_SECRET=whsec_\S{44}\n/));
  world.feed.events.push('evt_1');
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
  const script = `"${node}" "${main}" listen --forward "${world.receiver.url}"; echo "ended with $?" >&2`;
  const child = spawn('/bin/sh', ['-c', `(${script}) | head -n 1`], {
    env: { PATH: process.env.PATH, ...world.environment },
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
    world.feed.events.push(`evt_${number}`);
    await eventually(() => expect(hasEnded() || world.receiver.requests.length >= number).toBe(true));
  }
  await ended;
  expect(stderr).toContain('ended with 0');
  expect(stderr).not.toMatch(/EPIPE|error/i);
});

it('a second listener on the same key is told why events come late', async () => {
  // A wait ends at once, as when another request of the key begins to wait.
  world.feed.api.respondWith(({ path }) => {
    const isEnded = path.includes('wait=');
    return isEnded
      ? { status: 200, body: '{"success":true,"data":[],"meta":{"next_cursor":"0","has_more":false}}' }
      : world.feed.answer(path);
  });
  const listener = await world.listening();
  await eventually(() =>
    expect(listener.records('note')).toEqual([
      { type: 'note', text: expect.stringContaining('its own key') },
    ]),
  );
  expect(world.feed.api.requests.length).toBeLessThan(8);
});

it('an address where nobody is ends it with the cure', async () => {
  const env = { ...world.environment, FRONTDESK_URL: `http://127.0.0.1:${await freePort()}` };
  expect(await runFrontdesk(['listen'], env)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/ECONNREFUSED.*FRONTDESK_URL/),
  });
});
