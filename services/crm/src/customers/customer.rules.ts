import type { Customer, CustomerListEntry, MergedCustomer } from '@frontdesk/contracts';
import { toDecimal } from '@frontdesk/contracts';

/** A customer as stored. */
export interface CustomerRow {
  id: number;
  name: string;
  phone: string;
  phone_digits: string;
  email: string | null;
  segment: CustomerListEntry['segment'];
  pipeline_stage: string | null;
  notes: string | null;
  source: string;
  /** Of what people and programs have changed, for `If-Match`. */
  version: number;
  /** Of the whole record, for its events: also grows with each change of the totals. */
  sequence: number;
  created_at: Date;
  updated_at: Date;
}

/** What the visits of one customer come to; money in minor units of the tenant's currency. */
export interface VisitTotals {
  total_appointments: number;
  total_spent_minor: number;
  last_visit_date: string | null;
}

export const NO_VISITS: VisitTotals = { total_appointments: 0, total_spent_minor: 0, last_visit_date: null };

export const isSameTotals = (one: VisitTotals, other: VisitTotals): boolean =>
  one.total_appointments === other.total_appointments &&
  one.total_spent_minor === other.total_spent_minor &&
  one.last_visit_date === other.last_visit_date;

/** The fields that may be set; the number by those who run the business. */
export type CustomerChanges = Pick<
  CustomerRow,
  'name' | 'phone' | 'phone_digits' | 'email' | 'segment' | 'pipeline_stage' | 'notes'
>;

/** The record of the list, and of other services' look-ups. */
export const customerListRecord = (row: CustomerRow): CustomerListEntry => ({
  id: row.id,
  name: row.name,
  phone: row.phone,
  email: row.email,
  segment: row.segment,
  pipeline_stage: row.pipeline_stage,
  notes: row.notes,
  source: row.source,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** The record of the single view and of `customer.*` events. */
export const customerRecord = (row: CustomerRow, totals: VisitTotals, currency: string): Customer => ({
  ...customerListRecord(row),
  total_appointments: totals.total_appointments,
  total_spent: toDecimal(totals.total_spent_minor, currency),
  currency,
  last_visit_date: totals.last_visit_date,
});

/** A merged customer, with the number that the remaining customer does not show. */
export interface MergedCustomerRow {
  tenant_id: number;
  id: number;
  merged_into: number;
  /** As it was given. */
  phone: string;
  merged_at: Date;
  /** Of the customer’s latest event, which is a `customer.merged`. */
  version: number;
}

export const mergedCustomerRecord = (row: MergedCustomerRow): MergedCustomer => ({
  id: row.id,
  merged_into: row.merged_into,
  phone: row.phone,
  merged_at: row.merged_at.toISOString(),
});
