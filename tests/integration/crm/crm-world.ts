import { type Appointment, SNAPSHOT_PAGE, type SnapshotEntry, snapshotQuery } from '@frontdesk/contracts';
import { ok } from '@frontdesk/service';
import { buildCrm } from '../../../services/crm/src/app.ts';
import { configSchema } from '../../../services/crm/src/config.ts';
import { migrations } from '../../../services/crm/src/migrations/index.ts';
import { startNeighbours, startServiceWorld } from '../../support/index.ts';

export type CrmWorld = Awaited<ReturnType<typeof startCrm>>;

/** Gateway and scheduling as far as the crm asks them: tenants, and the snapshot of appointments. */
const neighboursWith = (appointments: SnapshotEntry<Appointment>[]) =>
  startNeighbours((app) => {
    app.get(
      '/internal/snapshots/appointments',
      { schema: { querystring: snapshotQuery } },
      async ({ query }) => {
        const isAfter = (entry: SnapshotEntry<Appointment>) =>
          entry.tenant_id > query.after_tenant ||
          (entry.tenant_id === query.after_tenant && entry.aggregate_id > query.after_id);
        return ok(appointments.filter(isAfter).slice(0, SNAPSHOT_PAGE));
      },
    );
  });

/** A crm of the test's own. `appointments` are what scheduling holds, in the order of tenant and id. */
export async function startCrm(
  options: { isWhole?: boolean; appointments?: SnapshotEntry<Appointment>[] } = {},
) {
  const { isWhole = false, appointments = [] } = options;
  const neighbours = await neighboursWith(appointments);
  const world = await startServiceWorld({
    name: 'crm',
    configSchema,
    migrations,
    build: buildCrm,
    isWhole,
    env: { GATEWAY_INTERNAL_URL: neighbours.url, SCHEDULING_INTERNAL_URL: neighbours.url },
  });
  return {
    ...world,
    newTenant: neighbours.newTenant,
    forgetTenant: neighbours.forgetTenant,
    async stop() {
      await world.stop();
      await neighbours.stop();
    },
  };
}
