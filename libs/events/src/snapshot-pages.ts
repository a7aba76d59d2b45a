import { type SnapshotEntry, snapshotEntry } from '@frontdesk/contracts';
import type { ServiceClient } from '@frontdesk/service';
import { z } from 'zod';

/** The pages of an owner's snapshot, `/internal/snapshots/…`, for a refill. */
export function snapshotPages<Data>(
  owner: ServiceClient,
  records: 'appointments' | 'customers',
  data: z.ZodType<Data>,
) {
  const schema = z.array(snapshotEntry(data));
  return ({ tenantId, id }: { tenantId: number; id: number }): Promise<SnapshotEntry<Data>[]> =>
    owner.request({
      method: 'GET',
      path: `/internal/snapshots/${records}?after_tenant=${tenantId}&after_id=${id}`,
      schema,
    });
}
