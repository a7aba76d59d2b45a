import { createHash } from 'node:crypto';
import type { MemberRole } from '@frontdesk/contracts';
import { systemSql, tenantSql } from '@frontdesk/database';
import { eventually } from '../../../support/index.ts';
import { operator } from '../../gateway/gateway-world.ts';
import { type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

const giveRole = tenantSql<never, { email: string; role: MemberRole }>(
  'test_notice_role',
  `update memberships m set role = $role from accounts a
   where m.tenant_id = $tenantId and a.id = m.account_id and a.email = $email`,
);
const endIn = systemSql<never, { id: number; hours: number }>(
  'test_end_key_in',
  `update api_keys set created_at = now() - interval '90 days', expires_at = now() + $hours * interval '1 hour'
   where id = $id`,
);
const count = tenantSql<{ kind: string; count: number }>(
  'test_count_notices',
  `select kind, sum(count)::int as count from emails where tenant_id = $tenantId and kind = 'key_expires' group by kind`,
);

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld({ collects: true });
});
afterAll(() => world.stop());

async function startBusiness() {
  const { tenantId, email } = await world.newAdmin();
  const member = async (role: MemberRole) => {
    const added = await world.newAdmin(tenantId);
    await world.database.forTenant(tenantId).run(giveRole, { email: added.email, role });
    return added.email;
  };
  return { tenantId, owner: email, developer: await member('developer'), manager: await member('manager') };
}

const isExpiry = ({ subject }: { subject: string }) => /API keys? of .* expires? soon/.test(subject);
const told = async (tenantId: number) =>
  (await world.database.forTenant(tenantId).many(count))[0]?.count ?? 0;

describe('a key that expires soon', () => {
  it('sends owners and developers one email a week and one a day before', async () => {
    const { tenantId, owner, developer, manager } = await startBusiness();
    const { id } = await world.gatewayWorld.newKey(world.gateway, tenantId, { name: 'Website' });
    const { system } = world.gatewayWorld.database;
    await system.run(endIn, { id, hours: 8 * 24 });
    // Each looks as it starts, and then every hour.
    await world.startSettings();
    await system.run(endIn, { id, hours: 5 * 24 });
    await world.startSettings();
    for (const email of [owner, developer]) {
      const { text } = await world.mail.waitFor(email, isExpiry);
      expect(text).toContain('Website');
      expect(text).toContain('Expires:');
    }
    const { id: other } = await world.gatewayWorld.newKey(world.gateway, tenantId, { name: 'Till' });
    await system.run(endIn, { id: other, hours: 20 });
    await world.startSettings();
    // Folded into one that goes out an hour later.
    await eventually(async () => expect(await told(tenantId)).toBe(4));
    // Another turn: it comes to the last key after these.
    const last = await startBusiness();
    const { id: lastId } = await world.gatewayWorld.newKey(world.gateway, last.tenantId);
    await system.run(endIn, { id: lastId, hours: 20 });
    await world.startSettings();
    await world.mail.waitFor(last.owner, isExpiry);
    expect(await told(tenantId)).toBe(4);
    expect(world.mail.to(manager).filter(isExpiry)).toEqual([]);
  });

  it('sends no email where it was replaced or revoked, or its business is suspended', async () => {
    const { tenantId, owner } = await startBusiness();
    const { system } = world.gatewayWorld.database;
    const at = (method: string, path: string, body?: object) =>
      world.gatewayWorld.internal(
        world.gateway,
        operator,
        method,
        `/internal/tenants/${tenantId}${path}`,
        body,
      );
    const [rolled, revoked, own] = await Promise.all(
      ['Rolled', 'Revoked', 'Own'].map((name) =>
        world.gatewayWorld.newKey(world.gateway, tenantId, { name }),
      ),
    );
    await at('POST', `/keys/${rolled?.id}/roll`, { hours: 20 });
    await at('POST', `/keys/${revoked?.id}/revoke`);
    for (const key of [rolled, revoked, own]) await system.run(endIn, { id: key?.id ?? 0, hours: 10 });
    await at('PATCH', '', { status: 'suspended' });
    await world.startSettings();
    await at('PATCH', '', { status: 'active' });
    await world.startSettings();
    const { text } = await world.mail.waitFor(owner, isExpiry);
    expect(text).toContain('Own');
    expect(text).not.toMatch(/Rolled|Revoked/);
    expect(world.mail.to(owner).filter(isExpiry)).toHaveLength(1);
  });
});

it('owners and developers get an email about a leaked key, with what to do', async () => {
  const { tenantId, owner, developer, manager } = await startBusiness();
  const { id, key } = await world.gatewayWorld.newKey(world.gateway, tenantId, { name: 'Website' });
  const ask = (path: string, body?: object) =>
    world.gatewayWorld.internal(world.gateway, operator, 'POST', path, body);
  const key_hash = createHash('sha256').update(key).digest('hex');
  expect((await ask('/internal/keys/find', { key_hash })).body.data).toMatchObject({ id });
  expect((await ask(`/internal/tenants/${tenantId}/keys/${id}/leaked`)).status).toBe(200);
  const isLeak = ({ subject }: { subject: string }) => subject.startsWith('A leaked API key of');
  for (const email of [owner, developer]) {
    const { text } = await world.mail.waitFor(email, isLeak);
    expect(text).toContain('Website');
    expect(text).toContain('nobody can use it any more');
    expect(text).toContain('Create a new key');
  }
  expect(world.mail.to(manager).filter(isLeak)).toEqual([]);
});
