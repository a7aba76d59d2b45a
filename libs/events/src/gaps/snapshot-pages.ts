import { crmRoutes, type SnapshotEntry, schedulingRoutes } from '@frontdesk/contracts';
import { requestOf, type ServiceClient } from '@frontdesk/service';
import type { z } from 'zod';

const SNAPSHOTS = { appointments: schedulingRoutes.listSnapshot, customers: crmRoutes.listSnapshot };

/** The topics whose owner has a snapshot of their records. */
export type SnapshotTopic = keyof typeof SNAPSHOTS;
/** A record of the owner's snapshot; its events have one like it. */
export type SnapshotOf<OnTopic extends SnapshotTopic> = SnapshotEntry<
  z.output<(typeof SNAPSHOTS)[OnTopic]['answer']>['data'][number]['data']
>;

/** The pages of an owner's snapshot for a refill. */
export function snapshotPages<OnTopic extends SnapshotTopic>(owner: ServiceClient, topic: OnTopic) {
  const declared: (typeof SNAPSHOTS)[SnapshotTopic] = SNAPSHOTS[topic];
  return ({ tenantId, id }: { tenantId: number; id: number }) =>
    owner.request(
      requestOf(declared, { query: { after_tenant: tenantId, after_id: id } }),
    ) as Promise<unknown> as Promise<SnapshotOf<OnTopic>[]>;
}
