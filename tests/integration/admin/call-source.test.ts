import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN, operatorBy } from '../../e2e/support/operator.ts';
import { eventually, identityKeys } from '../../support/index.ts';
import { type CallsWorld, PUBLIC_URL, startCalls } from '../calls/calls-world.ts';
import { genericCall } from '../calls/sample-calls.ts';
import { genericMessage } from '../calls/signed-messages.ts';

describe('npm run admin -- call-source', () => {
  let world: CallsWorld;
  let tenantId: number;
  let operator: ReturnType<typeof operatorBy>;
  let directory: string;

  beforeAll(async () => {
    world = await startCalls({ isWhole: true });
    directory = await mkdtemp(join(tmpdir(), 'call-source-'));
    tenantId = world.newTenant();
    const { port } = world.service.internal.server.address() as AddressInfo;
    operator = operatorBy(ADMIN, {
      PATH: process.env.PATH,
      OPERATOR_KEY_FILE: identityKeys().privateKeyFile('operator'),
      CALLS_INTERNAL_URL: `http://127.0.0.1:${port}`,
    });
  });

  afterAll(async () => {
    await world.stop();
    await rm(directory, { recursive: true });
  });

  const argumentsOf = (words: string) => ['call-source', ...words.split(' '), '--tenant', String(tenantId)];
  const run = (words: string, ...more: string[]) => operator.run([...argumentsOf(words), ...more]);
  /** With this on standard input. */
  const runWith = (input: string, words: string) => operator.run(argumentsOf(words), input);
  const json = async (words: string, ...more: string[]) => {
    const { code, stdout, stderr } = await run(words, '--json', ...more);
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };
  const send = ({ ingest_url, secret }: { ingest_url: string; secret: string }, call: object | string) =>
    world.ingest(
      { path: ingest_url.slice(PUBLIC_URL.length) },
      genericMessage(call, { secret, url: ingest_url }),
    );

  it('makes a source that takes calls in: its address and its secret are printed, once', async () => {
    const made = await json('create --provider generic --creates-leads', '--name', 'Front door');
    expect(made).toEqual({
      id: expect.any(Number),
      ingest_url: expect.stringMatching(/^https:\/\/desk\.example\.com\/ingest\/calls\/[A-Za-z0-9]{32,}$/),
      secret: expect.stringMatching(/^whsec_/),
    });
    expect((await send(made, genericCall())).status).toBe(202);
    const shown = await json(`show ${made.id}`);
    expect(shown).toMatchObject({ name: 'Front door', settings: { creates_leads: true } });
    expect(JSON.stringify([shown, await json('list')])).not.toContain(made.secret);
    const { stdout } = await run('list');
    expect(stdout).toMatch(/^id +provider +name +is_active +secret_last_four/);
    expect(stdout).toContain(made.ingest_url);
  });

  it('takes the secret and the settings that a provider dictates', async () => {
    const settings = '{"vapi":{"scheme":"hmac","timestamp_header":"x-time"}}';
    const file = join(directory, 'secret');
    await writeFile(file, 'from-the-provider\n');
    const vapi = await json(
      `create --provider vapi --secret-file ${file} --name V`,
      ...['--settings', settings],
    );
    expect(vapi.secret).toBe('from-the-provider');
    expect(await json(`show ${vapi.id}`)).toMatchObject({
      secret_last_four: 'ider',
      settings: { creates_leads: false, vapi: { scheme: 'hmac', timestamp_header: 'x-time' } },
    });
    const changed = await json(`update ${vapi.id} --name W`, '--settings', '{"creates_leads":true}');
    expect(changed).toMatchObject({
      name: 'W',
      settings: { creates_leads: true, vapi: { scheme: 'bearer' } },
    });
    expect((await run('create --provider retell --name R')).stderr).toContain('secret field is required');
    const weak = await runWith('whsec_password', 'create --provider generic --name A --secret-file -');
    expect([weak.code, weak.stderr]).toEqual([2, expect.stringContaining('base64 of at least 16 bytes')]);
    expect((await run('create --provider acme --name A')).stderr).toContain('generic, vapi, retell, twilio');
    const wrong = await run('create --provider generic --name A --settings [1]');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('It must be a JSON object.')]);
  });

  it('replaces a secret, stops a source and starts it again, and removes it', async () => {
    const made = await json('create --provider generic --name Back');
    const { id } = made;
    const rotated = await json(`rotate ${id}`);
    expect(rotated).toEqual({ ...made, secret: expect.stringMatching(/^whsec_/) });
    expect(rotated.secret).not.toBe(made.secret);
    expect((await send(made, genericCall())).status).toBe(401);
    expect((await send(rotated, genericCall())).status).toBe(202);
    const again = await runWith(`${made.secret}\n`, `rotate ${id} --secret-file - --json`);
    expect(JSON.parse(again.stdout).secret).toBe(made.secret);

    expect(await json(`disable ${id}`)).toMatchObject({ is_active: false });
    expect((await send(made, genericCall())).status).toBe(404);
    expect(await json(`enable ${id}`)).toMatchObject({ is_active: true });
    expect((await send(made, genericCall())).status).toBe(202);
    expect(await json(`delete ${id}`)).toEqual({ id, deleted: true });
    expect((await send(made, genericCall())).status).toBe(404);
    expect(await run(`show ${id}`)).toMatchObject({ code: 2, stderr: 'error: Call source not found.\n' });
  });

  it('shows what came in and what could not be read, and has it read again', async () => {
    const made = await json('create --provider generic --name Odd');
    await send(made, genericCall());
    await send(made, '{"provider_call_id": 7}');
    const unreadable = await eventually(async () => {
      const found = await json(`messages --source ${made.id} --status unreadable`);
      expect(found).toMatchObject([{ source_id: made.id, reason: expect.any(String) }]);
      return found[0];
    });
    expect(await json(`show-message ${unreadable.id}`)).toMatchObject({ body: '{"provider_call_id": 7}' });
    expect(await json(`replay-message ${unreadable.id}`)).toMatchObject({ status: 'received' });
    await eventually(async () =>
      expect(await json(`messages --source ${made.id} --status unreadable`)).toHaveLength(1),
    );
    const { stdout } = await run(`messages --limit 1`);
    expect(await json(`delete-message ${unreadable.id}`)).toEqual({ id: unreadable.id, deleted: true });
    expect((await run(`show-message ${unreadable.id}`)).stderr).toContain('Call message not found');
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(stdout).toMatch(/^id +source_id +status +call_id/);
    expect((await run('messages --status lost')).code).toBe(2);
  });
});
