import { randomUUID } from 'node:crypto';
import type { SystemScope } from '@frontdesk/database';
import { type AttemptOutcome, attemptRecord } from '../domain/attempt.ts';
import type { ClaimLimits, HeldBody } from '../domain/lease.ts';
import type { Verdict } from '../domain/verdict.ts';
import { freeLost, release } from './lease.statements.ts';
import { type ClaimRow, claimDue, countQueue, oldestDue, record } from './queue.statements.ts';

export type { QueueCounts } from './queue.statements.ts';

/** A delivery that this process holds under a lease, with all that it takes to send it. */
export interface Claim extends Omit<ClaimRow, 'body'> {
  /** As it is sent. What is pre-leased of one event shares it. */
  body: Buffer;
  lease_token: string;
  held: HeldBody;
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
  /** Endpoints are served in the order of their ids, beginning after this one. */
  afterEndpointId: number;
  limit: number;
  limits: ClaimLimits;
  /** Whom the leases belong to. */
  owner: number;
}

/** What a delivery is held by, and whose it is. */
export type Lease = Pick<Claim, 'id' | 'lease_token' | 'tenant_id' | 'endpoint_id'>;

/** `tooMuch`: leased as well, but beyond the bytes that one claim brings. `hasMore`: there was more than these, or than the limit. */
export interface Claimed {
  claims: Claim[];
  tooMuch: Lease[];
  hasMore: boolean;
}

/** Leases what is due, for so long at most. */
export async function claimDeliveries(
  system: SystemScope,
  { afterEndpointId, limit, limits, owner }: ClaimRequest,
  leaseMs: number,
): Promise<Claimed> {
  const token: string = randomUUID();
  const rows = await system.many(claimDue, {
    afterEndpointId,
    perEndpoint: limits.perEndpoint,
    endpointLimits: JSON.stringify(Object.fromEntries(limits.endpoints)),
    tenantLimits: JSON.stringify(Object.fromEntries(limits.tenants)),
    limit,
    token,
    owner,
    leaseMs,
  });
  const claims: Claim[] = [];
  const tooMuch: Lease[] = [];
  for (const row of rows) {
    const { id, tenant_id, endpoint_id } = row;
    const lease = { id, lease_token: token, tenant_id, endpoint_id };
    if (row.body === null) {
      tooMuch.push(lease);
      continue;
    }
    const body = Buffer.from(row.body);
    claims.push({ ...row, ...lease, body, held: { bytes: body.length, holders: 0 } });
  }
  return { claims, tooMuch, hasMore: rows.length === limit || tooMuch.length > 0 };
}

/** In one statement. @returns those whose lease still held; the others are void */
export async function recordResults(
  system: SystemScope,
  unsorted: readonly AttemptResult[],
): Promise<RecordedResult[]> {
  // In the order of ids, like their cancellation: two can wait for each other, but never in a circle.
  const results = unsorted.toSorted((a, b) => a.claim.id - b.claim.id);
  const { recorded } = await system.one(record, columnsOf(results));
  return recorded.map(([place, status, latencyMs]) => ({
    result: results[place - 1] as AttemptResult,
    status,
    latencyMs,
  }));
}

/** Gives leases back unused: due again at once, or after `delayMs`. */
export const releaseLeases = (
  system: SystemScope,
  leases: readonly (Pick<Lease, 'id' | 'lease_token'> & { delayMs?: number })[],
) =>
  system.run(
    release,
    leases.map(({ id }) => id),
    leases.map(({ lease_token }) => lease_token),
    leases.map(({ delayMs = 0 }) => delayMs),
  );

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
