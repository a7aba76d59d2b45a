import { ADMIN, operatorBy } from '../../e2e/support/operator.ts';
import { identityKeys, type Receiver, startReceiver, uniqueTenantId } from '../../support/index.ts';
import { hooksOf } from './hooks.ts';
import { appointmentEvent } from './sample-events.ts';
import { type RunningWebhooks, startWebhooks } from './webhooks-world.ts';

describe('npm run admin -- webhook', () => {
  let world: RunningWebhooks;
  let receiver: Receiver;
  let tenantId: number;
  let hooks: ReturnType<typeof hooksOf>;
  let operator: ReturnType<typeof operatorBy>;

  beforeAll(async () => {
    world = await startWebhooks();
    receiver = await startReceiver();
    operator = operatorBy(ADMIN, {
      PATH: process.env.PATH,
      OPERATOR_KEY_FILE: identityKeys().privateKeyFile('operator'),
      WEBHOOKS_INTERNAL_URL: world.internalUrl,
    });
  });

  afterAll(async () => {
    await world.stop();
    await receiver.close();
  });

  beforeEach(() => {
    tenantId = uniqueTenantId();
    hooks = hooksOf(world, tenantId);
  });

  const webhook = (words: string) =>
    operator.run(['webhook', ...words.split(' '), '--tenant', String(tenantId)]);
  const json = async (words: string) => {
    const { code, stdout, stderr } = await webhook(`${words} --json`);
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };

  it('shows and changes an endpoint', async () => {
    const { id } = await hooks.create(receiver);
    expect(await json(`show ${id}`)).toMatchObject({ id, state: 'active', health: { success_rate: null } });
    expect((await webhook(`show ${id}`)).stdout).toMatch(/^state +active$/m);
    expect((await webhook('list')).stdout).toMatch(/^id +url +events +state +success_rate/);
    const changed = await json(`update ${id} --url ${receiver.url}/moved --events call.ended,missed_call`);
    expect(changed).toMatchObject({ url: `${receiver.url}/moved`, events: ['call.ended', 'missed_call'] });
    expect((await webhook(`delete ${id}`)).code).toBe(0);
  });

  it('pauses an endpoint, resumes it and tests it', async () => {
    const { id } = await hooks.create(receiver);
    expect(await json(`pause ${id}`)).toMatchObject({ state: 'paused' });
    expect(await webhook(`test ${id}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The endpoint is paused. Resume it first.'),
    });
    expect(await json(`resume ${id}`)).toMatchObject({ state: 'active' });
    expect(await json(`replay ${id} --missed`)).toMatchObject({ kind: 'missed', total: 0 });
    expect(await json(`test ${id}`)).toMatchObject({ endpoint_id: id, event: 'endpoint.test' });
    await hooks.settled('delivered');
  });

  it('replaces an endpoint’s secret', async () => {
    const { id } = await hooks.create(receiver);
    expect(await json(`rotate-secret ${id}`)).toMatchObject({ id, secret: expect.stringMatching(/^whsec_/) });
    expect((await webhook(`rotate-secret ${id}`)).code).toBe(2);
    expect(await json(`rotate-secret ${id} --force`)).toMatchObject({ id });
  });

  it('sends again: one delivery, all that failed, a window of time', async () => {
    const { id } = await hooks.create(receiver, ['appointment.cancelled']);
    receiver.respondWith(() => ({ status: 500 }));
    await world.publish(appointmentEvent(tenantId, 'appointment.cancelled'));
    await hooks.settled('failed');
    const [failed] = await json(`deliveries --endpoint ${id} --status failed`);
    expect((await webhook('deliveries --limit 1')).stdout.split('\n')[0]).toMatch(/^id +endpoint_id +event/);

    receiver.respondWith(() => ({ status: 200 }));
    const replayed = await webhook(`replay ${id} --failed --wait --json`);
    expect(replayed.stderr).toContain('0 queued, 0 skipped, of 1');
    expect(JSON.parse(replayed.stdout)).toMatchObject({ kind: 'failed', status: 'done', queued: 1 });
    await hooks.settled('delivered');
    expect(await json(`resend ${failed.id}`)).toMatchObject({ id: failed.id, status: 'pending' });
    await hooks.settled('delivered');

    const from = new Date(Date.now() - 3_600_000).toISOString();
    const { code, stdout } = await webhook(`replay ${id} --from ${from} --wait`);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^status +done$/m)]);
    expect(await json(`replays ${id}`)).toHaveLength(2);
    expect((await webhook(`replay ${id}`)).code).toBe(2);
    expect((await webhook(`replay ${id} --failed --from 2026-11-01T00:00:00Z`)).code).toBe(2);
  });
});
