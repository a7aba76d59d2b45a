import { snapshotQuery } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { ok } from '@frontdesk/service';
import {
  eventually,
  removeTopics,
  sampleCustomer,
  startNeighbours,
  uniqueTenantId,
} from '../../../support/index.ts';
import { startScheduling } from '../scheduling-world.ts';

const KNOWN = systemSql<{ id: number; version: number }, { tenantId: number }>(
  'test_known_customers',
  'select id, version from customers where tenant_id = $tenantId order by id',
);

it('an empty projection of customers fills itself from crm’s snapshot', async () => {
  const tenant_id = uniqueTenantId();
  const held = [3, 5].map((aggregate_id) => ({
    tenant_id,
    aggregate_id,
    aggregate_version: aggregate_id + 1,
    data: sampleCustomer({ id: aggregate_id }),
  }));
  const crm = await startNeighbours((app) => {
    app.get('/internal/snapshots/customers', { schema: { querystring: snapshotQuery } }, async ({ query }) =>
      ok(held.filter(({ aggregate_id }) => query.after_tenant === 0 || aggregate_id > query.after_id)),
    );
  });
  const world = await startScheduling({ isWhole: true, crmUrl: crm.url });
  await eventually(async () =>
    expect(await world.database.system.many(KNOWN, { tenantId: tenant_id })).toEqual([
      { id: 3, version: 4 },
      { id: 5, version: 6 },
    ]),
  );
  await world.stop();
  await crm.stop();
  await removeTopics(world.config.KAFKA_PREFIX);
});
