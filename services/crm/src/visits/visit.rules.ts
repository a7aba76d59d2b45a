import { type Appointment, currencyField, type SnapshotEntry, toMinor } from '@frontdesk/contracts';
import { ImpossibleRecordError } from '@frontdesk/service';

/** One appointment as the crm needs it: what counts into a customer's totals. */
export interface VisitRow {
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
export function visitOf(entry: SnapshotEntry<Appointment>): VisitRow {
  const { tenant_id, aggregate_id, aggregate_version, data } = entry;
  const isCurrency = currencyField.safeParse(data.currency).success;
  const price_minor = isCurrency ? toMinor(data.price, data.currency) : null;
  // Scheduling stores minor units, so its prices always convert. Better none than a wrong amount.
  if (price_minor === null) throw new ImpossibleRecordError('its price is no amount of its currency');
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
