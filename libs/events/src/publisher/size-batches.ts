import { MAX_EVENT_BYTES } from '@frontdesk/contracts';
import type { OutboundRecord } from '@frontdesk/service';

export interface SizeBatch {
  /** Position of its first record among all. */
  first: number;
  records: OutboundRecord[];
}

/** Well below what a topic takes, for the limit counts whole batches with their headers. */
const MAX_BATCH_BYTES = MAX_EVENT_BYTES / 2;

/** Cuts records into batches that the broker can take as one; a record that is larger goes alone. */
export function bySize(records: readonly OutboundRecord[], maxBytes = MAX_BATCH_BYTES): SizeBatch[] {
  const batches: SizeBatch[] = [];
  let current: SizeBatch | undefined;
  let bytes = 0;
  for (const [index, record] of records.entries()) {
    const size = Buffer.byteLength(record.value) + Buffer.byteLength(record.key);
    if (!current || bytes + size > maxBytes) {
      current = { first: index, records: [] };
      batches.push(current);
      bytes = 0;
    }
    current.records.push(record);
    bytes += size;
  }
  return batches;
}
