import type { TenantTransaction } from '@frontdesk/database';
import { parsePhone } from '@frontdesk/phone';
import type { LockedCall } from '../data/call-state.repository.ts';
import {
  addCustomerNumbers,
  findCustomerByNumber,
  lockCustomerNumbers,
} from '../data/customer-number.repository.ts';
import type { CallFacts } from '../domain/call-provider.ts';
import { customerNumber } from '../domain/customer-number.ts';

/** What crm has said of a number (E.164): whose it is, or null for nobody's. */
export interface CustomerAnswer {
  number: string;
  customerId: number | null;
}

export interface Link {
  customer_id: number | null;
  /** Whether crm has yet to be asked. */
  isLinkDue: boolean;
}

/** The number by which the customer of a call is known, as E.164; null where there is none. */
export function numberOf(facts: CallFacts, country: string): string | null {
  const { direction = null, fromNumber = null, toNumber = null } = facts;
  const number = customerNumber({ direction, fromNumber, toNumber });
  return number === null ? null : (parsePhone(number, country)?.e164 ?? null);
}

/** The customer of a locked call that has this number, by what is known here and what crm has said beforehand. */
export async function findLink(
  tx: TenantTransaction,
  call: LockedCall,
  number: string | null,
  answer: CustomerAnswer | null,
): Promise<Link> {
  if (number === null) return { customer_id: null, isLinkDue: false };
  if (call.customer_id !== null && call.customer_number === number) {
    return { customer_id: call.customer_id, isLinkDue: false };
  }
  await lockCustomerNumbers(tx, [number]);
  const known = await findCustomerByNumber(tx, number);
  if (known !== null) return { customer_id: known, isLinkDue: false };
  if (answer?.number !== number) return { customer_id: null, isLinkDue: true };
  const { customerId } = answer;
  if (customerId !== null) await addCustomerNumbers(tx, [{ e164: number, customerId }]);
  return { customer_id: customerId, isLinkDue: false };
}
