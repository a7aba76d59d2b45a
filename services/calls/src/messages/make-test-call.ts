import type { TestCall, testCallBody } from '@frontdesk/contracts';
import type { Database, TenantScope } from '@frontdesk/database';
import { AppError, invalid } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import type { z } from 'zod';
import { type CallColumns, callColumns } from '../calls/call-columns.rules.ts';
import { numberOf } from '../calls/customer-number.rules.ts';
import { foldCall } from '../calls/fold-call.rules.ts';
import type { CustomerLookup } from '../links/crm.client.ts';
import { findCustomerByNumber } from '../links/customer-number.repository.ts';
import type { RawMessage } from '../providers/call-provider.rules.ts';
import { PROVIDERS } from '../providers/providers.rules.ts';
import { statedTranscript } from '../providers/transcript-choice.rules.ts';
import { noteSourceTest } from '../sources/call-source.repository.ts';
import type { CallSourceRow } from '../sources/call-source.rules.ts';
import { storeRawMessage } from './store-message.ts';
import { testMessage } from './test-message.rules.ts';

export interface TestCallDeps {
  database: Database;
  tenants: TenantDirectory;
  customers: CustomerLookup;
  onReceived: () => void;
}

/**
 * Reads a message of a call that nobody made, as the source's provider would send it, and says what it comes to. Nothing is
 * kept or sent, unless it is to be kept: then it is taken in like any other, marked as a test, and never makes a customer. No
 * transaction spans it: crm may be asked.
 * @throws AppError `validation_failed`; for a real one `rate_limited`
 */
export async function makeTestCall(
  deps: TestCallDeps,
  source: CallSourceRow,
  url: string,
  { from_number, is_real }: z.output<typeof testCallBody>,
): Promise<TestCall> {
  const scope = deps.database.forTenant(source.tenant_id);
  const { country, quotas } = await deps.tenants.find(source.tenant_id);
  const fromNumber = from_number?.trim() || null;
  const message = testMessage(source.provider, { fromNumber, now: new Date(), url });
  const { columns, transcript } = readTestCall(source, message);
  const number = numberOf(columns, country);
  if (fromNumber !== null && number === null)
    throw invalid({
      from_number: [
        { text: 'The from_number field must be a phone number.', reason: 'not_phone_number', country },
      ],
    });
  const found = await findCustomer(deps.customers, scope, number);
  const creates_lead = source.settings.creates_leads && found.customer === 'unknown';
  const outcome = { call: testCallRecord(columns, transcript), ...found, creates_lead };
  if (!is_real) return { ...outcome, message_id: null };

  if (!source.is_active)
    throw invalid({ is_real: ['The source is paused: it accepts no calls until it is resumed.'] });
  const { id } = await storeRawMessage(scope, source.id, { ...message, isTest: true }, quotas);
  await noteSourceTest(scope, source.id);
  deps.onReceived();
  return { ...outcome, message_id: id };
}

type Found = Pick<TestCall, 'customer' | 'customer_id'>;

/** Whose number it is, as a real call would find out; nobody is made by asking. */
async function findCustomer(
  customers: CustomerLookup,
  scope: TenantScope,
  number: string | null,
): Promise<Found> {
  if (number === null) return { customer: 'hidden', customer_id: null };
  try {
    const known = await findCustomerByNumber(scope, number);
    const found = known ?? (await customers.byPhone(scope.tenantId, number, { create: false }));
    // Nobody is made, so no quota is needed.
    const customer_id = found === 'quota_full' ? null : found;
    return { customer: customer_id === null ? 'unknown' : 'known', customer_id };
  } catch (error) {
    if (error instanceof AppError && error.status >= 500)
      return { customer: 'unavailable', customer_id: null };
    throw error;
  }
}

type Transcript = TestCall['call']['transcript'];

/** What a test message of this source comes to. */
function readTestCall({ provider, settings }: CallSourceRow, message: RawMessage) {
  const parsed = PROVIDERS[provider].parse(message);
  if (parsed.kind !== 'call') throw new Error(`The test message of ${provider} is about no call.`);
  const stated = statedTranscript(parsed.patch);
  const columns = callColumns(foldCall([parsed.patch]).facts, {
    endToldAt: message.receivedAt,
    lexiconSentiment: settings.classifies_sentiment ? (stated?.sentiment ?? null) : null,
  });
  const transcript: Transcript = stated ? JSON.parse(stated.json) : [];
  return { columns, transcript };
}

/** The record that the call would have. */
const testCallRecord = (columns: CallColumns, transcript: Transcript): TestCall['call'] => ({
  direction: columns.direction ?? 'inbound',
  from_number: columns.from_number,
  to_number: columns.to_number,
  started_at: columns.started_at.toISOString(),
  ended_at: columns.ended_at.toISOString(),
  duration: columns.duration_seconds,
  missed: columns.is_missed,
  outcome: columns.outcome,
  sentiment: columns.sentiment,
  sentiment_source: columns.sentiment_source,
  summary: columns.summary,
  transcript,
});
