import type { Database, TenantScope } from '@frontdesk/database';
import { AppError } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import type { CustomerLookup } from '../clients/crm.client.ts';
import {
  type DueMessage,
  findReceivedMessage,
  type MessageStatus,
  type ReceivedMessage,
  settleMessage,
} from '../data/call-message.repository.ts';
import { type CallParties, findCallParties } from '../data/call-state.repository.ts';
import { findCustomerByNumber } from '../data/customer-number.repository.ts';
import { type CallFacts, type ParsedMessage, UnreadableMessage } from '../domain/call-provider.ts';
import { PROVIDERS } from '../domain/providers/index.ts';
import { applyPatch, type Told } from './apply-patch.ts';
import { type CustomerAnswer, numberOf } from './find-link.ts';

export interface NormaliseDeps {
  database: Database;
  tenants: TenantDirectory;
  customers: CustomerLookup;
  announceAfterMs: number;
}

/**
 * Reads a stored message and settles it: applied to its call, ignored, or unreadable. Any number may do it at once.
 * @returns what came of it; null where somebody else has read it
 */
export async function normaliseMessage(
  deps: NormaliseDeps,
  { tenant_id, id }: DueMessage,
): Promise<MessageStatus | null> {
  const scope = deps.database.forTenant(tenant_id);
  const message = await findReceivedMessage(scope, id);
  if (!message) return null;
  const read = readMessage(message);
  if (read.kind !== 'call') {
    await settleMessage(scope, id, { status: read.kind, reason: read.reason });
    return read.kind;
  }
  const { country } = await deps.tenants.find(tenant_id);
  const answer = await askForCustomer(deps.customers, scope, message, read, country);
  const context = { country, answer, announceAfterMs: deps.announceAfterMs };
  return scope.transaction((tx) => applyPatch(tx, message, read, context));
}

function readMessage(message: ReceivedMessage): ParsedMessage | { kind: 'unreadable'; reason: string } {
  const { body, content_type: contentType, url, received_at: receivedAt } = message;
  try {
    return PROVIDERS[message.provider].parse({ body, contentType, headers: {}, url, receivedAt });
  } catch (error) {
    if (error instanceof UnreadableMessage) return { kind: 'unreadable', reason: error.message };
    throw error;
  }
}

/**
 * Asks crm whose number it is before any lock is held. Null: there is nothing to ask as far as is known by now, or crm
 * can't say; the transaction finds out which.
 */
async function askForCustomer(
  customers: CustomerLookup,
  scope: TenantScope,
  { provider, settings }: ReceivedMessage,
  { providerCallId, patch }: Told,
  country: string,
): Promise<CustomerAnswer | null> {
  const earlier = await findCallParties(scope, provider, providerCallId);
  if (patch.stage === 'progress' && !earlier?.is_complete) return null;
  const number = numberOf({ ...factsOf(earlier), ...patch.facts }, country);
  if (number === null || (await findCustomerByNumber(scope, number)) !== null) return null;
  try {
    const options = { create: settings.creates_leads };
    return { number, customerId: await customers.byPhone(scope.tenantId, number, options) };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

const factsOf = (parties: CallParties | null): CallFacts => ({
  ...(parties?.direction && { direction: parties.direction }),
  ...(parties?.from_number && { fromNumber: parties.from_number }),
  ...(parties?.to_number && { toNumber: parties.to_number }),
});
