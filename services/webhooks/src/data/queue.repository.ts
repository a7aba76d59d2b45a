import { randomUUID } from 'node:crypto';
import type { Database } from '@frontdesk/database';
import type { AttemptOutcome } from '../domain/attempt.ts';
import type { ClaimLimits, HeldBody } from '../domain/lease.ts';
import type { Verdict } from '../domain/verdict.ts';
import { freeLostLeases, releaseLeases } from './lease.statements.ts';
import { type ClaimRow, claimDue, oldestDue, recordResults } from './queue.statements.ts';

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

interface ClaimRequest {
  /** Endpoints are served in the order of their ids, beginning after this one. */
  afterEndpointId: number;
  limit: number;
  limits: ClaimLimits;
  /** Whom the leases belong to. */
  owner: number;
}

/** What a delivery is held by, and whose it is. */
export type Lease = Pick<Claim, 'id' | 'lease_token' | 'tenant_id' | 'endpoint_id'>;

export interface DeliveryQueue {
  /** `tooMuch`: leased as well, but beyond the bytes that one claim brings. `hasMore`: there was more than these, or than the limit. */
  claim(request: ClaimRequest): Promise<{ claims: Claim[]; tooMuch: Lease[]; hasMore: boolean }>;
  /** Writes results in one statement. Returns those whose lease still held; the others are void. */
  record(results: readonly AttemptResult[]): Promise<RecordedResult[]>;
  /** Gives leases back unused: due again at once, or after `delayMs`. */
  release(leases: readonly (Pick<Lease, 'id' | 'lease_token'> & { delayMs?: number })[]): Promise<void>;
  /** Frees what was leased by processes that are gone. Returns how many deliveries are due again. */
  freeLost(): Promise<number>;
  /** Seconds since the longest waiting delivery could have been sent; 0 where nothing is due. */
  oldestDueSeconds(): Promise<number>;
}

/** @param leaseMs how long a claim holds at most: longer than an attempt and the writing of its result can take */
export function createDeliveryQueue(options: { database: Database; leaseMs: number }): DeliveryQueue {
  const { leaseMs } = options;
  const { system } = options.database;
  return {
    async claim({ afterEndpointId, limit, limits, owner }) {
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
    },
    async record(unsorted) {
      // In the order of ids, like their cancellation: two can wait for each other, but never in a circle.
      const results = unsorted.toSorted((a, b) => a.claim.id - b.claim.id);
      const { recorded } = await system.one(recordResults, columnsOf(results));
      return recorded.map(([place, status, latencyMs]) => ({
        result: results[place - 1] as AttemptResult,
        status,
        latencyMs,
      }));
    },
    async release(leases) {
      await system.run(
        releaseLeases,
        leases.map(({ id }) => id),
        leases.map(({ lease_token }) => lease_token),
        leases.map(({ delayMs = 0 }) => delayMs),
      );
    },
    freeLost: async () => (await system.one(freeLostLeases)).freed,
    oldestDueSeconds: async () => (await system.one(oldestDue)).age_seconds,
  };
}

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
      JSON.stringify(attemptOf(claim.attempt_count + 1, outcome)),
    ),
    attemptCounts: results.map(({ claim }) => claim.attempt_count + 1),
    durationsMs: results.map(({ outcome }) => outcome.durationMs),
    firstId: ids[0] as number,
    lastId: ids.at(-1) as number,
  };
}

/** As the log keeps it and shows it. */
function attemptOf(attempt: number, outcome: AttemptOutcome) {
  return {
    attempt,
    started_at: outcome.startedAt.toISOString(),
    duration_ms: outcome.durationMs,
    http_status: outcome.httpStatus,
    error_class: outcome.errorClass,
    response_body: outcome.responseBody,
    request_headers: outcome.requestHeaders,
    response_headers: outcome.responseHeaders,
  };
}
