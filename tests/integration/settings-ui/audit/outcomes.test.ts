import { systemSql } from '@frontdesk/database';
import { listEntries } from '../../../../services/settings-ui/src/audit/audit-entry.repository.ts';
import { PASSWORD, type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld();
});
afterAll(() => world.stop());

const makeRefusal = systemSql(
  'test_make_refusal',
  "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$",
);
const refuseOutcomes = systemSql(
  'test_refuse_outcomes',
  'create trigger refuse_outcomes before update on audit_log for each row execute function refuse()',
);
const takeOutcomes = systemSql('test_take_outcomes', 'drop function refuse() cascade');

it('what is done or refused is answered so where the audit log can’t take its outcome; the entry stays as begun', async () => {
  const { browser, email, tenantId } = await world.signedIn();
  const elsewhere = await world.join(email);
  const people = await browser.json('GET', '/settings/people');
  const [{ id: self }] = people.body.data.admins;
  await world.database.system.run(makeRefusal);
  await world.database.system.run(refuseOutcomes);
  try {
    const key = await browser.json('POST', '/settings/api/keys', { name: 'Phone' });
    expect([key.status, key.body.data.key]).toEqual([201, expect.any(String)]);
    const removal = await browser.json('DELETE', `/settings/people/${self}`);
    expect([removal.status, removal.body.code]).toEqual([422, 'validation_failed']);
    const change = { current_password: PASSWORD, new_password: 'four calm walruses' };
    expect((await browser.json('POST', '/settings/account/password', change)).status).toBe(200);
    // The session that goes on is in the answer.
    expect((await browser.json('GET', '/settings/people')).status).toBe(200);
  } finally {
    await world.database.system.run(takeOutcomes);
  }
  const begun = async (of: number) =>
    (await listEntries(world.database.forTenant(of), { count: 9 }))
      .filter(({ outcome }) => outcome === 'started')
      .map(({ action }) => action);
  expect(await begun(tenantId)).toEqual(['password_changed', 'admin_removed', 'key_created']);
  expect(await begun(elsewhere)).toEqual(['password_changed']);
});
