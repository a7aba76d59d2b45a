import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Appointment, Call, Customer } from '@frontdesk/contracts';
import type { Business } from '../../e2e/support/business.ts';
import { createCallSource } from '../../e2e/support/calls.ts';
import { runCommand } from '../../e2e/support/command.ts';
import { openTarget, type Target } from '../../e2e/support/target.ts';
import { eventually, freePort } from '../../support/index.ts';
import { createClientBusiness } from './client-business.ts';

const BLOCK = /```(sh|js) ([^\n]*)\n([\s\S]*?)\n```/g;
const PROGRAM = /^the (?:program|receiver) (\S+)$/;

let target: Target;
let business: Business;
let directory: string;
/** The commands of the guide, in order, with what a reader pastes into them. */
let commands: [label: string, text: string][];
let shell: ReturnType<typeof startShell>;

beforeAll(async () => {
  target = await openTarget();
  directory = await mkdtemp(join(tmpdir(), 'frontdesk-agent-'));
  const client = await createClientBusiness(target);
  business = client.business;
  const { ingest_url, secret } = await createCallSource(target, business.tenant.id);
  const port = String(await freePort());
  const endpoint = await target.operator.json<{ secret: string }>([
    ...`webhook create --tenant ${business.tenant.id} --events call.ended,customer.updated --url`.split(' '),
    `http://127.0.0.1:${port}/`,
  ]);
  const pasted: Record<string, string> = {
    'paste a key here': client.apiKey,
    'paste the ingest address here': new URL(new URL(ingest_url).pathname, target.gatewayUrl).href,
    'paste its secret here': secret,
    'paste the signing secret here': endpoint.secret,
    // Nothing may fail because a machine is slow.
    '--max-time 5': '--max-time 120',
    'PORT=4999': `PORT=${port}`,
  };
  const guide = await (await fetch(`${target.gatewayUrl}/docs/phone-agent.md`)).text();
  commands = [];
  for (const [, language, label = '', text = ''] of guide.matchAll(BLOCK)) {
    const [, file] = PROGRAM.exec(label) ?? [];
    if (file !== undefined) await writeFile(join(directory, file), text);
    else if (language === 'sh')
      commands.push([
        label,
        Object.entries(pasted).reduce((sum, [hint, value]) => sum.replace(hint, value), text),
      ]);
  }
  shell = startShell(await barePath());
});
afterAll(async () => {
  await shell?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** A PATH with nothing but what the guide says it needs. */
async function barePath(): Promise<string> {
  const folder = join(directory, 'bin');
  await mkdir(folder);
  await symlink(process.execPath, join(folder, 'node'));
  const folders = (process.env.PATH ?? '').split(delimiter);
  const { stdout } = await runCommand(['sh', '-c', 'command -v curl'], {
    env: { PATH: folders.join(delimiter) },
  });
  await symlink(stdout.trim(), join(folder, 'curl'));
  return folder;
}

/** A terminal that goes on while the test looks around. */
function startShell(path: string) {
  const child = spawn('/bin/sh', ['-s'], {
    cwd: directory,
    detached: true,
    env: { PATH: path, HOME: directory },
  });
  const ended = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  let types = 0;
  return {
    output: () => output,
    /** Types one command, and waits until it is done. @returns what was printed meanwhile */
    async type(text: string): Promise<string> {
      const from = output.length;
      types += 1;
      const mark = `done ${types}`;
      child.stdin.write(`${text}\necho "${mark}"\n`);
      await eventually(() => {
        if (child.exitCode !== null) throw new Error(`The terminal has ended:\n${output}`);
        expect(output.slice(from)).toContain(mark);
      });
      return output.slice(from);
    },
    async stop(): Promise<void> {
      child.stdin.end();
      if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGTERM');
      await ended;
    },
  };
}

const find = async <Data>(path: string) => (await business.api<Data>('GET', path)).data();
const typeUntil = async (last: string) => {
  const printed: Record<string, string> = {};
  const end = commands.findIndex(([label]) => label === last) + 1;
  if (end === 0) throw new Error(`The guide has no ${last}.`);
  for (const [label, text] of commands.slice(0, end)) printed[label] = await shell.type(text);
  return printed;
};

it.each(['first', 'second'])(
  'books, is refused a taken time, moves, cancels, holds and books the hold, the %s time it is run, too',
  async (run) => {
    const before = await find<Appointment[]>('/appointments');
    const printed = await typeUntil('the commands that book the hold, and cancel it');
    expect(printed['the command that asks for a time that is taken']).toMatch(
      /^slot_unavailable: \d{4}-\d\d-\d\d at \d\d:\d\d, /,
    );
    expect(printed['the command that finds three times']).toMatch(/^(\d{4}-\d\d-\d\d at \d\d:\d\d\n){3}/);
    const [held, booked, ...others] = await find<Appointment[]>('/appointments?sort=-updated_at');
    expect(others).toHaveLength(before.length);
    for (const appointment of [held, booked])
      expect(appointment).toMatchObject({ status: 'cancelled', source: 'phone agent' });
    expect(printed['the command that holds a time']).toContain(`Held: ${held?.id}\n`);
    const moved = JSON.parse(printed['the command that moves']?.split('\n')[0] ?? '').data as Appointment;
    const [time] = /\d{4}-\d\d-\d\d at \d\d:\d\d/.exec(
      printed['the command that asks for a time that is taken'] ?? '',
    ) ?? [''];
    expect(`${moved.appointment_date} at ${moved.appointment_time}`).toBe(time);
    const found = printed['the command that finds the caller'] ?? '';
    expect(JSON.parse(found.split('done')[0] ?? '').data.map(({ name }: Customer) => name)).toEqual(
      run === 'first' ? [] : ['Mia Wong'],
    );
  },
);

it('a lost key of idempotency books nothing: the command ends before it sends', async () => {
  const before = await find<Appointment[]>('/appointments?per_page=100');
  const [, define = ''] = commands.find(([label]) => label === 'a function that books') ?? [];
  const printed = await shell.type(`${define}\n(book "$SLOT" "")`);
  expect(printed).toContain('2: parameter not set');
  expect(await find<Appointment[]>('/appointments?per_page=100')).toHaveLength(before.length);
});

it('reports the call; the receiver hears of it, and the mirror has everything, with what changes meanwhile', async () => {
  const index = commands.findIndex(([label]) => label === 'the commands that report the call');
  const [report, receiver, mirror, stop, ...more] = commands.slice(index).map(([, text]) => text);
  expect(more).toEqual([]);
  await shell.type(receiver ?? '');
  await shell.type(mirror ?? '');
  const mirrored = async () => JSON.parse(await readFile(join(directory, 'mirror.json'), 'utf8'));
  await eventually(mirrored);
  expect(await shell.type(report ?? '')).toContain('202 ');
  const [customer] = await find<Customer[]>('/customers');
  await business.api('PATCH', `/customers/${customer?.id}`, { body: { segment: 'vip' } });
  await eventually(async () => {
    const [call] = await find<Call[]>('/calls');
    const copy = await mirrored();
    expect(copy.call[call?.id ?? 0]?.record).toEqual(await find(`/calls/${call?.id}`));
    expect(copy.call[call?.id ?? 0].record).toMatchObject({ outcome: 'booked', customer_id: customer?.id });
    expect(copy.customer[customer?.id ?? 0].record).toMatchObject({ segment: 'vip' });
    for (const appointment of await find<Appointment[]>('/appointments?per_page=100'))
      expect(copy.appointment[appointment.id].record).toEqual(appointment);
    expect(shell.output()).toContain('call.ended');
    expect(shell.output()).toContain('customer.updated');
  });
  await shell.type(stop ?? '');
  expect(shell.output()).not.toMatch(/Error|not found/);
});
