import type { TenantTransaction } from '@frontdesk/database';
import { findMergedInto } from '@frontdesk/merges';
import type { LockedCall } from '../calls/call-state.rules.ts';
import {
  findCustomerByNumber,
  insertAnsweredNumber,
  lockCustomerNumbers,
} from './customer-number.repository.ts';

/** What crm has said of a number (E.164): whose it is, or null for nobody's. */
export interface CustomerAnswer {
  number: string;
  customerId: number | null;
}

/**
 * The customer of a locked call that has this number, by what is known here and what crm has said beforehand.
 * @returns also whether crm has yet to be asked
 */
export async function findLink(
  tx: TenantTransaction,
  call: LockedCall,
  number: string | null,
  answer: CustomerAnswer | null,
): Promise<{ customer_id: number | null; isLinkDue: boolean }> {
  if (number === null) return { customer_id: null, isLinkDue: false };
  const isSameNumber = call.customer_number === number;
  if (call.customer_id !== null && isSameNumber) return { customer_id: call.customer_id, isLinkDue: false };
  const answered = answer?.number === number ? answer.customerId : null;
  await lockCustomerNumbers(tx, [number], answered === null ? [] : [answered]);
  const known = await findCustomerByNumber(tx, number);
  if (known !== null) return { customer_id: known, isLinkDue: false };
  // Crm is asked about a number once: if it belongs to nobody, an event says when that changes.
  if (answer?.number !== number) return { customer_id: null, isLinkDue: !isSameNumber || call.is_link_due };
  if (answered === null) return { customer_id: null, isLinkDue: false };
  // Crm may have answered before the customer became part of another one.
  const customerId = (await findMergedInto(tx, answered)) ?? answered;
  await insertAnsweredNumber(tx, { e164: number, customerId });
  return { customer_id: customerId, isLinkDue: false };
}
