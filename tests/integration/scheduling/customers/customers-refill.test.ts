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
import { openSalon } from '../salon.ts';
import { startScheduling } from '../scheduling-world.ts';

const KNOWN = systemSql<{ id: number; version: number }, { tenantId: number }>(
  'test_known_customers',
  'select id, version from customers where tenant_id = $tenantId order by id',
);

/** A scheduling whose crm has these customers, and a tenant of theirs. */
async function startFilled(held: { id: number; version: number; data: object }[]) {
  const tenantId = uniqueTenantId();
  const entries = held.map(({ id, version, data }) => {
    return { tenant_id: tenantId, aggregate_id: id, aggregate_version: version, data };
  });
  const crm = await startNeighbours((app) => {
    app.get('/internal/snapshots/customers', { schema: { querystring: snapshotQuery } }, async ({ query }) =>
      ok(entries.filter(({ aggregate_id }) => query.after_tenant === 0 || aggregate_id > query.after_id)),
    );
  });
  const world = await startScheduling({ isWhole: true, crmUrl: crm.url });
  await eventually(async () =>
    expect(await world.database.system.many(KNOWN, { tenantId })).toEqual(
      entries.map(({ aggregate_id: id, aggregate_version: version }) => ({ id, version })),
    ),
  );
  world.newTenant({ id: tenantId });
  return {
    ...world,
    tenantId,
    async stop() {
      await world.stop();
      await crm.stop();
      await removeTopics(world.config.KAFKA_PREFIX);
    },
  };
}

const customer = (id: number) => ({ id, version: id + 1, data: sampleCustomer({ id }) });
const merged = (id: number, merged_into: number) => {
  const data = { id, merged_into, phone: '+4930123456', merged_at: '2026-03-02T09:00:00Z' };
  return { id, version: 9, data };
};

it('an empty projection of customers fills itself from crm’s snapshot', async () => {
  const world = await startFilled([customer(3), customer(5)]);
  await world.stop();
});

it('so it learns who has become part of whom: bookings for them are for those', async () => {
  const world = await startFilled([merged(3, 4), merged(4, 6), customer(5), customer(6), merged(7, 3)]);
  const salon = await openSalon(world, world.tenantId);
  for (const [index, [id, current]] of [
    [3, 6],
    [4, 6],
    [5, 5],
    [7, 6],
  ].entries()) {
    const { body } = await salon.book({ customer_id: id, appointment_time: `1${index}:00` });
    expect(body.data.customer_id).toBe(current);
  }
  await world.stop();
});
