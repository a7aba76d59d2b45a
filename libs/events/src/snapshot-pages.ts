import {
  appointmentSchema,
  customerListEntry,
  type SnapshotEntry,
  snapshotEntry,
} from '@frontdesk/contracts';
import type { ServiceClient } from '@frontdesk/service';
import { z } from 'zod';

const RECORDS = { appointments: appointmentSchema, customers: customerListEntry };

/** The topics whose owner has a snapshot of their records. */
export type SnapshotTopic = keyof typeof RECORDS;
/** A record of the owner's snapshot; its events have one like it. */
export type SnapshotOf<OnTopic extends SnapshotTopic> = SnapshotEntry<z.output<(typeof RECORDS)[OnTopic]>>;

/** The pages of an owner's snapshot, `/internal/snapshots/…`, for a refill. */
export function snapshotPages<OnTopic extends SnapshotTopic>(owner: ServiceClient, topic: OnTopic) {
  const schema = z.array(snapshotEntry(RECORDS[topic]));
  return ({ tenantId, id }: { tenantId: number; id: number }) =>
    owner.request({
      method: 'GET',
      path: `/internal/snapshots/${topic}?after_tenant=${tenantId}&after_id=${id}`,
      schema,
    }) as Promise<SnapshotOf<OnTopic>[]>;
}
