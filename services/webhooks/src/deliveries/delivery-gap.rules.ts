import type { DeliveryGap } from '@frontdesk/contracts';

export interface DeliveryGapRow {
  records: DeliveryGap['records'];
  /** Null where nobody knows when it began. */
  since: Date | null;
  until: Date;
}

export const deliveryGapRecord = ({ records, since, until }: DeliveryGapRow): DeliveryGap => ({
  records,
  since: since?.toISOString() ?? null,
  until: until.toISOString(),
});
