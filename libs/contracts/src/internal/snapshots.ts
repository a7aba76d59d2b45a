import { z } from 'zod';
import { queryInteger } from '../fields/fields.ts';

/** Entries of one page of a snapshot, at most. */
export const SNAPSHOT_PAGE = 1_000;

/** Where a page begins: after this record, in the order of tenant and id. */
export const snapshotQuery = z.object({
  after_tenant: queryInteger.default(0),
  after_id: queryInteger.default(0),
});

/** One record as its owner holds it, with the version that its latest event carries. */
export const snapshotEntry = <Schema extends z.ZodType>(record: Schema) =>
  z.object({
    tenant_id: z.int(),
    aggregate_id: z.int(),
    aggregate_version: z.int(),
    data: record,
  });

export interface SnapshotEntry<Record> {
  tenant_id: number;
  aggregate_id: number;
  aggregate_version: number;
  data: Record;
}
