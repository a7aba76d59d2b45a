import { type Logger, loop, type Metrics, type Part } from '@frontdesk/service';
import type { ReceiverClient } from '../clients/receiver.client.ts';
import type { Lender } from '../data/event.repository.ts';
import type { EndpointHealth } from '../data/health.repository.ts';
import type { AttemptResult, Claim, DeliveryQueue } from '../data/queue.repository.ts';
import { FAILURES_TO_OPEN } from '../domain/breaker.ts';
import { messageIdOf } from '../domain/payload.ts';
import type { RetrySchedule } from '../domain/retry.ts';
import { signatureHeaders } from '../domain/signature.ts';
import { judge } from '../domain/verdict.ts';
import type { Shares } from './capacity.ts';
import { createDeliveryMetrics } from './delivery-metrics.ts';
import { createHand } from './hand.ts';
import { createHealthWriter } from './health-writer.ts';
import { MAX_WAIT_MS } from './pace.ts';
import { createResultWriter } from './result-writer.ts';
import { CLAIM_BATCH } from './room.ts';

/** Looks this often even if nobody wakes it: for retries that have come due. */
const POLL_MS = 1_000;
/** How often claims are looked for that have waited in hand for too long. */
const LOOK_MS = MAX_WAIT_MS / 4;

export interface DeliveryEngine extends Part {
  start(): Promise<void>;
  /** Claims no more, lets what is under way finish within its deadline, and writes the results. */
  stop(): Promise<void>;
  /** There is something to deliver. */
  wake(): void;
  /** An endpoint has been changed, or is over: what waits here for it goes by what it was. */
  forget(endpointId: number): void;
  /** For deliveries that are born leased. */
  lender: Lender;
  /** Sends what was leased through `lender`. */
  send(claims: readonly Claim[]): void;
}

/**
 * Sends deliveries, as many as there is room for, and writes the results in batches; room comes back with the written
 * result, so that a slow database slows the claims down. It claims what is due, and gets what was leased as its event
 * came in. Any number of engines work on one queue.
 */
export function createDeliveryEngine(options: {
  queue: DeliveryQueue;
  health: EndpointHealth;
  receiver: ReceiverClient;
  schedule: RetrySchedule;
  shares: Shares;
  /** Whom this process's leases belong to; null while it may hold none. */
  owner: () => number | null;
  leaseMs: number;
  logger: Logger;
  metrics: Metrics;
}): DeliveryEngine {
  const { queue, receiver, schedule, owner, leaseMs, logger } = options;
  const underWay = new Set<Promise<void>>();
  let isStopping = false;
  /** Where the last claim stopped for want of room: the next begins there, so that every endpoint gets its turn. */
  let afterEndpointId = 0;
  let leaseOwner = owner();
  /** Whether something may wait that there was no room for at all. */
  let isOutOfRoom = false;

  const deliver = async (claim: Claim) => {
    const body = Buffer.from(claim.body);
    const signature = signatureHeaders({
      id: messageIdOf(claim.event_id),
      body,
      secret: claim.secret,
      previousSecret: claim.previous_secret,
      timestampSeconds: Math.floor(Date.now() / 1_000),
    });
    const outcome = await receiver.post(claim.url, signature, body);
    const verdict = judge(outcome, claim.attempt_count + 1, schedule, Date.now());
    results.add({ claim, outcome, verdict });
    hand.ended(claim, outcome.errorClass !== null);
  };
  const hand = createHand({
    places: options.shares,
    start(claim) {
      const delivery = deliver(claim).finally(() => underWay.delete(delivery));
      underWay.add(delivery);
    },
    // Where it fails, the end of the leases frees them.
    giveUp: (claims) =>
      queue.release(claims).catch((error) => logger.warn({ err: error }, 'claims were not given back')),
  });
  const { room } = hand;
  const patience = loop({
    name: 'claims in hand',
    intervalMs: LOOK_MS,
    logger,
    async run() {
      // With its session a process has lost its leases: others may be sending what waits here.
      const isLost = leaseOwner !== owner();
      leaseOwner = owner();
      await (isLost ? hand.drop() : hand.tick());
      return false;
    },
  });

  const release = (results: readonly AttemptResult[]) => {
    for (const { claim } of results) hand.release(claim);
    if (room.refill() || isOutOfRoom) claims.wake();
  };
  // What its endpoint failed at makes room only once the queue knows of it, and claims by that.
  const healthWriter = createHealthWriter({ health: options.health, logger, onFailuresWritten: release });
  const results = createResultWriter({
    queue,
    logger,
    metrics: createDeliveryMetrics({
      metrics: options.metrics,
      inFlight: () => hand.inFlight(),
      oldestDueSeconds: () => queue.oldestDueSeconds(),
    }),
    onWritten({ recorded, isVoid }) {
      healthWriter.note(recorded);
      release([...recorded.filter(({ outcome }) => outcome.errorClass === null), ...isVoid]);
      const nextMs = Math.min(...recorded.map(({ verdict }) => verdict.delayMs ?? POLL_MS));
      if (nextMs < POLL_MS) setTimeout(() => claims.wake(), nextMs).unref();
    },
  });

  const claims = loop({
    name: 'delivery engine',
    intervalMs: POLL_MS,
    maxBackoffMs: POLL_MS,
    logger,
    async run(signal) {
      const limit = Math.min(room.free(), CLAIM_BATCH);
      const claimant = owner();
      isOutOfRoom = limit <= 0;
      if (limit <= 0 || claimant === null) return false;
      room.refill();
      const beganAtFirst = afterEndpointId === 0;
      const busy = room.busy();
      const { claims: claimed, hasMore } = await queue.claim({
        afterEndpointId,
        limit,
        perEndpoint: room.perEndpoint,
        busy,
        fullTenants: room.fullTenants(),
        owner: claimant,
      });
      if (signal.aborted) {
        await queue.release(claimed);
        return false;
      }
      // One claim may hold more of a tenant than its share.
      const { kept = [], surplus = [] } = Object.groupBy(claimed, (claim) =>
        room.take({ tenantId: claim.tenant_id, endpointId: claim.endpoint_id }) ? 'kept' : 'surplus',
      );
      hand.send(kept);
      if (surplus.length > 0) await queue.release(surplus);
      room.noteClaimed(busy, claimed);
      afterEndpointId = hasMore ? Math.max(...claimed.map((claim) => claim.endpoint_id)) : 0;
      return hasMore ? room.free() > 0 : room.refill() || !beganAtFirst;
    },
  });

  return {
    name: 'delivery engine',
    async start() {
      await healthWriter.start();
      await results.start();
      await patience.start();
      await claims.start();
    },
    async stop() {
      isStopping = true;
      await claims.stop();
      await patience.stop();
      await hand.drop();
      await Promise.all(underWay);
      try {
        await results.stop();
        await healthWriter.stop();
      } finally {
        await receiver.stop();
      }
    },
    wake: () => claims.wake(),
    forget: (endpointId) => void hand.drop(endpointId).then(() => claims.wake()),
    lender: {
      take: ({ tenant_id, id, consecutive_failures }) =>
        consecutive_failures < FAILURES_TO_OPEN && room.lend({ tenantId: tenant_id, endpointId: id }),
      giveBack: (endpointId) => room.giveBack(endpointId),
      owner: () => (isStopping ? null : owner()),
      leaseMs,
    },
    send: (claimed) => hand.send(claimed),
  };
}
