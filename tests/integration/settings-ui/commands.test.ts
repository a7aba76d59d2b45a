import { ADMIN, operatorBy } from '../../e2e/support/operator.ts';
import { identityKeys } from '../../support/index.ts';
import { type SettingsWorld, startSettingsWorld } from './settings-world.ts';

describe('npm run admin -- user', () => {
  let world: SettingsWorld;
  let operator: ReturnType<typeof operatorBy>;
  beforeAll(async () => {
    world = await startSettingsWorld();
    operator = operatorBy(ADMIN, {
      PATH: process.env.PATH,
      OPERATOR_KEY_FILE: identityKeys().privateKeyFile('operator'),
      SETTINGS_UI_INTERNAL_URL: world.settings.internal.listeningOrigin,
    });
  });
  afterAll(() => world.stop());

  it('removes an admin by their email, in whichever case; one of another tenant is none', async () => {
    const { browser, email, tenantId } = await world.signedIn();
    const other = await world.newAdmin();
    const remove = (tenant: number) =>
      operator.run(['user', 'remove', '--tenant', String(tenant), '--email', email.toUpperCase(), '--json']);
    expect(await remove(other.tenantId)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Tenant ${other.tenantId} has no admin`),
    });
    const { code, stdout } = await remove(tenantId);
    expect([code, JSON.parse(stdout)]).toEqual([0, { id: expect.any(Number), deleted: true }]);
    expect((await browser.json('GET', '/settings/api')).status).toBe(401);
  });
});
