import { randomUUID } from 'node:crypto';
import type { SystemScope } from '@frontdesk/database';
import { bodyAs } from '../events/payload.rules.ts';
import { type AttemptOutcome, attemptRecord } from '../receivers/attempt.rules.ts';
import type { ClaimLimits } from './lease.rules.ts';
import { freeLost, returnUnused } from './lease.statements.ts';
import { type ClaimRow, claimDue, countQueue, oldestDue, record } from './queue.statements.ts';
import type { Verdict } from './verdict.rules.ts';

export type { QueueCounts } from './queue.statements.ts';

/** A delivery that this process holds under a lease, with all that it takes to send it. */
export interface Claim extends Omit<ClaimRow, 'body' | 'fits'> {
  /** As it is sent; that of other deliveries of the same event and name, too. */
  body: Buffer;
  lease_token: string;
}

export interface AttemptResult {
  claim: Claim;
  outcome: AttemptOutcome;
  verdict: Verdict;
}

/** A result that was written, as its lease still held. */
export interface RecordedResult {
  result: AttemptResult;
  /** Of the delivery, from now on. */
  status: string;
  /** From when the delivery was made to now; null unless this is the end of sending it for the first time. */
  latencyMs: number | null;
}

export interface ClaimRequest {
  /** Tenants are served in a circle, in the order of their ids, beginning with this one or the next. */
  fromTenantId: number;
  limit: number;
  limits: ClaimLimits;
  /** Tenant id → its endpoint that had the last turn: its others are served before it, in a circle too. */
  turns: ReadonlyMap<number, number>;
  /** Whom the leases belong to. */
  owner: number;
}

/** What a delivery is held by, and whose it is. */
export type Lease = Pick<Claim, 'id' | 'lease_token' | 'tenant_id' | 'endpoint_id'>;

/**
 * `tooMuch`: leased as well, but beyond the bytes that one claim brings. `unfinished`: tenants that may have more that is due.
 * `hasMore`: its limit or its bytes cut the claim short.
 */
export interface Claimed {
  claims: Claim[];
  tooMuch: Lease[];
  unfinished: Set<number>;
  hasMore: boolean;
}

/** Leases what is due, for so long at most. */
export async function claimDeliveries(
  system: SystemScope,
  { fromTenantId, limit, limits, turns, owner }: ClaimRequest,
  leaseMs: number,
): Promise<Claimed> {
  const token: string = randomUUID();
  const rows = await system.many(claimDue, {
    fromTenantId,
    perTenant: limits.perTenant,
    perEndpoint: limits.perEndpoint,
    tenantLimits: JSON.stringify(Object.fromEntries(limits.tenants)),
    endpointLimits: JSON.stringify(Object.fromEntries(limits.endpoints)),
    turns: JSON.stringify(Object.fromEntries(turns)),
    limit,
    token,
    owner,
    leaseMs,
  });
  const stored = new Map<number, string>();
  const headersOf = new Map<number, string>();
  for (const { event_row, body, endpoint_id, headers } of rows) {
    if (body !== null) stored.set(event_row, body);
    if (headers !== null) headersOf.set(endpoint_id, headers);
  }
  const named = new Map<string, Buffer>();
  const claims: Claim[] = [];
  const tooMuch: Lease[] = [];
  const unfinished = new Set<number>();
  for (const { has_more: _, is_unfinished, fits, ...row } of rows) {
    const { id, tenant_id, endpoint_id, event_row, name, shows_transcripts } = row;
    const lease = { id, lease_token: token, tenant_id, endpoint_id };
    if (is_unfinished || !fits) unfinished.add(tenant_id);
    const storedBody = stored.get(event_row);
    if (!fits || storedBody === undefined) {
      tooMuch.push(lease);
      continue;
    }
    const body = named.getOrInsertComputed(`${event_row} ${name} ${shows_transcripts}`, () =>
      Buffer.from(bodyAs(row, storedBody)),
    );
    claims.push({ ...row, ...lease, headers: headersOf.get(endpoint_id) ?? null, body });
  }
  return { claims, tooMuch, unfinished, hasMore: rows[0]?.has_more === true || tooMuch.length > 0 };
}

/** In one statement. @returns those whose lease still held; the others are void */
export async function recordResults(
  system: SystemScope,
  unsorted: readonly AttemptResult[],
): Promise<RecordedResult[]> {
  // In the order of ids, like their cancellation: two can wait for each other, but never in a circle.
  const results = unsorted.toSorted((a, b) => a.claim.id - b.claim.id);
  const { recorded } = await system.one(record, columnsOf(results));
  return recorded.map(([position, status, latencyMs]) => ({
    result: results[position - 1] as AttemptResult,
    status,
    latencyMs,
  }));
}

/** Gives leases back unused: due again at once, or after `delayMs`. */
export const returnLeases = (
  system: SystemScope,
  leases: readonly (Pick<Lease, 'id' | 'lease_token'> & { delayMs?: number })[],
) =>
  system.run(returnUnused, {
    deliveryIds: leases.map(({ id }) => id),
    tokens: leases.map(({ lease_token }) => lease_token),
    delaysMs: leases.map(({ delayMs = 0 }) => delayMs),
  });

/** Frees what was leased by processes that are gone. @returns how many deliveries are due again */
export const freeLostLeases = async (system: SystemScope) => (await system.one(freeLost)).freed;

/** Seconds since the longest waiting delivery could have been sent; 0 where nothing is due. */
export const oldestDueSeconds = async (system: SystemScope) => (await system.one(oldestDue)).age_seconds;

/** Waiting and leased deliveries, and the endpoints whose breaker is open. */
export const queueCounts = (system: SystemScope) => system.one(countQueue);

/** @param results in the order of ids */
function columnsOf(results: readonly AttemptResult[]) {
  const ids = results.map(({ claim }) => claim.id);
  return {
    tenantIds: results.map(({ claim }) => claim.tenant_id),
    deliveryIds: ids,
    tokens: results.map(({ claim }) => claim.lease_token),
    statuses: results.map(({ verdict }) => verdict.status),
    delaysMs: results.map(({ verdict }) => verdict.delayMs),
    httpStatuses: results.map(({ outcome }) => outcome.httpStatus),
    responseBodies: results.map(({ outcome }) => outcome.responseBody),
    attempts: results.map(({ claim, outcome }) =>
      JSON.stringify(attemptRecord(claim.attempt_count + 1, outcome)),
    ),
    attemptCounts: results.map(({ claim }) => claim.attempt_count + 1),
    durationsMs: results.map(({ outcome }) => outcome.durationMs),
    firstId: ids[0] as number,
    lastId: ids.at(-1) as number,
  };
}
