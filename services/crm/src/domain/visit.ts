import { type Appointment, type SnapshotEntry, toMinor } from '@frontdesk/contracts';

/** One appointment as the crm needs it: what counts into a customer's totals. */
export interface Visit {
  tenant_id: number;
  appointment_id: number;
  customer_id: number;
  status: string;
  price_minor: number;
  currency: string;
  date: string;
  version: number;
}

/** From an event or from an entry of the owner's snapshot: both carry the state under the same names. */
export function toVisit(entry: SnapshotEntry<Appointment>): Visit {
  const { tenant_id, aggregate_id, aggregate_version, data } = entry;
  const price_minor = toMinor(data.price, data.currency);
  // Scheduling stores minor units, so its prices always convert. Better to stand still than to count a wrong amount.
  if (price_minor === null) throw new Error(`${data.price} is no amount of ${data.currency}`);
  return {
    tenant_id,
    appointment_id: aggregate_id,
    customer_id: data.customer_id,
    status: data.status,
    price_minor,
    currency: data.currency,
    date: data.appointment_date,
    version: aggregate_version,
  };
}
