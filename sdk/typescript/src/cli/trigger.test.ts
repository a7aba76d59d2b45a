import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { runFrontdesk } from '../../../../tests/integration/client/command-line.ts';
import { createListenWorld } from '../../testing/listen-world.ts';

let world: Awaited<ReturnType<typeof createListenWorld>>;
beforeEach(async () => {
  world = await createListenWorld();
});
afterEach(() => world.close());

it('a listener’s files are closed to other users, and gone at its end', async () => {
  const listener = await world.listening();
  const own = join(world.folder, 'frontdesk');
  const files = await readdir(own);
  expect(files).toHaveLength(2);
  for (const path of [own, ...files.map((file) => join(own, file))])
    expect([path, (await stat(path)).mode & 0o077]).toEqual([path, 0]);
  listener.kill();
  await listener.ended;
  expect(await readdir(own)).toEqual([]);
});

it('401: a request without the listener’s token', async () => {
  const listener = await world.listening();
  const own = join(world.folder, 'frontdesk');
  const { address } = JSON.parse(await readFile(join(own, `${listener.pid}.json`), 'utf8'));
  for (const authorization of [undefined, 'Bearer ', `Bearer ${'0'.repeat(64)}`]) {
    const sent = request({
      socketPath: address,
      method: 'POST',
      path: '/examples/call.ended',
      headers: { host: 'localhost', ...(authorization && { authorization }) },
    }).end();
    const [{ statusCode }] = await once(sent, 'response');
    expect(statusCode).toBe(401);
  }
  expect(world.receiver.requests).toEqual([]);
});

it('a folder that is open to others is used by no listener, and trigger trusts no listener in it', async () => {
  const own = join(world.folder, 'frontdesk');
  await mkdir(own);
  await chmod(own, 0o777);
  await writeFile(join(own, '1.json'), JSON.stringify({ pid: 1, address: '/x', token: 'x', forward: null }));
  const listener = await world.listening();
  expect(listener.records('note')).toEqual([
    { type: 'note', text: expect.stringContaining('closed to others') },
  ]);
  expect(await world.trigger('call.ended')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('closed to others'),
  });
  expect(await readdir(own)).toEqual(['1.json']);
});

it('trigger finds no listener that was killed, and says how to start one', async () => {
  const listener = await world.listening();
  listener.kill('SIGKILL');
  await listener.ended;
  expect(await world.trigger('call.ended')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('frontdesk listen --forward <url>'),
  });
  expect(await readdir(join(world.folder, 'frontdesk'))).toEqual([]);
});

it('trigger names a listener that Ctrl-Z has stopped, with the cure', async () => {
  const listener = await world.listening();
  listener.kill('SIGSTOP');
  expect(await runFrontdesk(['trigger', 'call.ended'], { XDG_RUNTIME_DIR: world.folder })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(new RegExp(`process id ${listener.pid} does not answer.* fg `)),
  });
});

it('trigger asks which of several listeners is meant, and goes by --forward or --pid', async () => {
  const listener = await world.listening();
  const other = await world.listening([]);
  const several = await world.trigger('call.ended');
  expect(several).toMatchObject({ code: 2, stderr: expect.stringContaining(`--pid ${listener.pid}`) });
  expect(await world.trigger('call.ended', '--pid', String(other.pid))).toMatchObject({ code: 0 });
  expect(world.receiver.requests).toEqual([]);
  expect(await world.trigger('call.ended', '--forward', `${world.receiver.url}/hooks`)).toMatchObject({
    code: 0,
  });
  expect(world.receiver.requests).toHaveLength(1);
  expect(await world.trigger('call.ended', '--forward', 'localhost:1')).toMatchObject({ code: 1 });
});

it('trigger sends only what the listener’s --events selects, under the name that it selects', async () => {
  const forward = ['--forward', `${world.receiver.url}/hooks`];
  await world.listening([...forward, '--events', 'appointment.created,missed_call']);
  expect(await world.trigger('call.ended')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('takes only appointment.created, missed_call'),
  });
  expect(world.receiver.requests).toEqual([]);
  for (const asked of ['appointment.created', 'appointment.booked', 'call.missed', 'missed_call'])
    expect(await world.trigger(asked)).toMatchObject({ code: 0 });
  expect(world.receiver.requests.map(({ rawBody }) => JSON.parse(rawBody).event)).toEqual([
    ...['appointment.created', 'appointment.created', 'missed_call', 'missed_call'],
  ]);
  expect(await world.trigger('call.missed', '--events', 'call.missed')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('frontdesk trigger --help'),
  });
});

it('trigger fails when the receiver fails', async () => {
  await world.listening();
  world.receiver.respondWith(() => ({ status: 503 }));
  expect(await world.trigger('call.ended')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('FAILED 503'),
  });
});
