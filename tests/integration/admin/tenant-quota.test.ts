import { PLAN_QUOTAS, QUOTA_NAMES, type QuotaUsage, type Tenant } from '@frontdesk/contracts';
import { ADMIN, operatorBy } from '../../e2e/support/operator.ts';
import { eventually, identityKeys, withinOneWindow } from '../../support/index.ts';
import { type CallsWorld, startCalls } from '../calls/calls-world.ts';
import { genericCall } from '../calls/sample-calls.ts';
import { genericMessage } from '../calls/signed-messages.ts';
import { type CrmWorld, startCrm } from '../crm/crm-world.ts';
import {
  addService,
  addStaff,
  type BusinessWorld,
  startBusinessWorld,
} from '../settings-ui/business-world.ts';

describe('npm run admin -- tenant usage, set-quota', () => {
  let world: BusinessWorld;
  let calls: CallsWorld;
  let crm: CrmWorld;
  let operator: ReturnType<typeof operatorBy>;

  beforeAll(async () => {
    [world, calls, crm] = await Promise.all([startBusinessWorld(), startCalls({ workers: [] }), startCrm()]);
    operator = operatorBy(ADMIN, {
      PATH: process.env.PATH,
      OPERATOR_KEY_FILE: identityKeys().privateKeyFile('operator'),
      GATEWAY_INTERNAL_URL: world.gateway.internalUrl,
      SCHEDULING_INTERNAL_URL: world.scheduling.service.internal.listeningOrigin,
      CALLS_INTERNAL_URL: await calls.service.internal.listen({ host: '127.0.0.1', port: 0 }),
      SETTINGS_UI_INTERNAL_URL: world.settings.internal.listeningOrigin,
      CRM_INTERNAL_URL: await crm.service.internal.listen({ host: '127.0.0.1', port: 0 }),
      // Nobody is there.
      WEBHOOKS_INTERNAL_URL: 'http://127.0.0.1:1',
    });
  });
  afterAll(async () => {
    await world.stop();
    await calls.service.internal.close();
    await calls.stop();
    await crm.service.internal.close();
    await crm.stop();
  });

  const run = (words: string) => operator.run(['tenant', ...words.split(' ')]);
  const json = <Document>(words: string) => operator.json<Document>(['tenant', ...words.split(' ')]);

  const showsUsage = async () => {
    const { browser, tenantId } = await world.signedIn();
    await addService(browser);
    await addStaff(browser);
    await world.gatewayWorld.newKey(world.gateway, tenantId);
    calls.newTenant({ id: tenantId });
    const source = await calls.newSource(tenantId);
    crm.newTenant({ id: tenantId });
    await crm.api(tenantId, 'POST', '/api/v1/customers', { name: 'Anna', phone: '+493023125001' });
    const message = genericMessage(genericCall(), source);
    await calls.ingest(source, message);
    await json(`set-quota ${tenantId} staff 250`);

    const used: QuotaUsage = {
      call_sources: 1,
      api_keys: 1,
      admins: 1,
      staff: 1,
      services: 1,
      call_messages_per_day: 1,
      call_bytes_per_day: Buffer.byteLength(message.body),
      customers: 1,
      appointments_per_day: 0,
    };
    expect(await json(`usage ${tenantId}`)).toEqual(
      QUOTA_NAMES.map((quota) => ({
        quota,
        used: used[quota],
        allowed: quota === 'staff' ? 250 : PLAN_QUOTAS.enterprise[quota],
        plan: PLAN_QUOTAS.enterprise[quota],
      })),
    );
    const { stdout } = await run(`usage ${tenantId}`);
    expect(stdout).toMatch(/^quota +used +allowed +plan\ncall_sources +1 +100 +100\n/);
  };
  it('shows what is used and allowed of every quota, over all services', () =>
    withinOneWindow(86_400, showsUsage));

  const showsNear = async () => {
    const near = await world.gatewayWorld.newTenant(world.gateway, { plan: 'starter' });
    const far = await world.gatewayWorld.newTenant(world.gateway, { plan: 'pro' });
    const fill = async (tenantId: number) => {
      for (let nth = 0; nth < PLAN_QUOTAS.starter.api_keys; nth += 1)
        await world.gatewayWorld.newKey(world.gateway, tenantId);
      calls.newTenant({ id: tenantId });
      for (let nth = 0; nth < PLAN_QUOTAS.starter.call_sources; nth += 1) await calls.newSource(tenantId);
    };
    await fill(near);
    await fill(far);

    // Again where a busy machine was too slow for what one reading waits.
    await eventually(async () => {
      const { stdout, code } = await operator.run(['status', '--json']);

      const { shown, unknown } = JSON.parse(stdout).near_quotas;
      expect(unknown).toEqual([]);
      const ofTenants = shown.filter(({ tenant_id }: { tenant_id: number }) =>
        [near, far].includes(tenant_id),
      );
      expect(ofTenants).toEqual([
        { tenant_id: near, quota: 'api_keys', used: 10, allowed: 10 },
        { tenant_id: near, quota: 'call_sources', used: 5, allowed: 5 },
      ]);
      // webhooks is not there.
      expect(code).toBe(3);
    });
    const line = new RegExp(`^${near} +api_keys +10 of 10$`, 'm');
    await eventually(async () => expect((await operator.run(['status'])).stdout).toMatch(line));
  };
  it('status names who is near a quota of their own plan', showsNear);

  it('raises a quota and takes it back, never below the plan’s', async () => {
    const tenantId = await world.gatewayWorld.newTenant(world.gateway, { plan: 'starter' });
    const quotas = async (words: string) => (await json<Tenant>(words)).quotas;
    expect(await quotas(`set-quota ${tenantId} api_keys 12`)).toMatchObject({ api_keys: 12 });
    expect(await quotas(`set-quota ${tenantId} api_keys default`)).toEqual(PLAN_QUOTAS.starter);
    const lower = await run(`set-quota ${tenantId} api_keys 9`);
    expect([lower.code, lower.stderr]).toEqual([2, expect.stringContaining('allows 10 already')]);
    expect((await run('set-quota 999999999999 api_keys 12')).code).toBe(2);
    expect((await run('usage 999999999999')).stderr).toContain('Tenant not found');
  });
});
