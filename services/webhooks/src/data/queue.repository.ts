import { randomUUID } from 'node:crypto';
import type { Database } from '@frontdesk/database';
import type { AttemptOutcome } from '../domain/attempt.ts';
import type { Verdict } from '../domain/verdict.ts';
import {
  type ClaimRow,
  cancelWaiting,
  claimDue,
  disableEndpoints,
  oldestDue,
  recordResults,
  releaseLeases,
} from './queue.statements.ts';

/** A delivery that this process holds under a lease, with all that it takes to send it. */
export interface Claim extends ClaimRow {
  lease_token: string;
}

export interface AttemptResult {
  claim: Claim;
  outcome: AttemptOutcome;
  verdict: Verdict;
}

interface ClaimRequest {
  /** Endpoints are served in the order of their ids, beginning after this one. */
  afterEndpointId: number;
  limit: number;
  perEndpoint: number;
  /** Endpoint id → how many of its deliveries are under way in this process. */
  busy: ReadonlyMap<number, number>;
}

export interface DeliveryQueue {
  claim(request: ClaimRequest): Promise<Claim[]>;
  /**
   * Writes results and their attempts in one statement. Returns the status of each delivery whose lease still held;
   * the results of the others are void.
   */
  record(results: readonly AttemptResult[]): Promise<string[]>;
  /** Gives claims back unused. */
  release(claims: readonly Claim[]): Promise<void>;
  /** Seconds since the longest waiting delivery could have been sent; 0 where nothing is due. */
  oldestDueSeconds(): Promise<number>;
}

/** @param leaseMs how long a claim holds: longer than an attempt and the writing of its result can take */
export function createDeliveryQueue(options: { database: Database; leaseMs: number }): DeliveryQueue {
  const { leaseMs } = options;
  const { system } = options.database;
  return {
    async claim({ afterEndpointId, limit, perEndpoint, busy }) {
      const token = randomUUID();
      const busyIds = [...busy.keys()];
      const busyCounts = [...busy.values()];
      const args = [afterEndpointId, perEndpoint, busyIds, busyCounts, limit, token, leaseMs] as const;
      const rows = await system.many(claimDue, ...args);
      return rows.map((row) => ({ ...row, lease_token: token }));
    },
    async record(results) {
      const sorted = results.toSorted((a, b) => a.claim.id - b.claim.id);
      const gone = sorted.filter(({ verdict }) => verdict.disablesEndpoint);
      if (gone.length === 0) return statusesOf(await system.many(recordResults, ...columnsOf(sorted)));
      const endpoints = [
        gone.map(({ claim }) => claim.tenant_id),
        gone.map(({ claim }) => claim.endpoint_id),
      ] as const;
      // The endpoint first: whoever deletes it at this moment locks in the same order.
      return system.transaction(async (tx) => {
        await tx.run(disableEndpoints, ...endpoints, 'gone');
        const statuses = statusesOf(await tx.many(recordResults, ...columnsOf(sorted)));
        await tx.run(cancelWaiting, ...endpoints);
        return statuses;
      });
    },
    async release(claims) {
      const tokens = claims.map((claim) => claim.lease_token);
      await system.run(
        releaseLeases,
        claims.map((claim) => claim.tenant_id),
        claims.map((claim) => claim.id),
        tokens,
      );
    },
    oldestDueSeconds: async () => (await system.one(oldestDue)).age_seconds,
  };
}

const statusesOf = (rows: readonly { status: string }[]) => rows.map(({ status }) => status);

function columnsOf(results: readonly AttemptResult[]) {
  return [
    results.map(({ claim }) => claim.tenant_id),
    results.map(({ claim }) => claim.id),
    results.map(({ claim }) => claim.lease_token),
    results.map(({ verdict }) => verdict.status),
    results.map(({ verdict }) => verdict.delayMs),
    results.map(({ outcome }) => outcome.httpStatus),
    results.map(({ outcome }) => outcome.responseBody),
    results.map(({ outcome }) => outcome.startedAt),
    results.map(({ outcome }) => outcome.durationMs),
    results.map(({ outcome }) => outcome.errorClass),
  ] as const;
}
