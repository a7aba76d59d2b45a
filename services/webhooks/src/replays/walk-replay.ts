import type { TenantTransaction } from '@frontdesk/database';
import { lastMissed } from '../endpoints/missed-events.rules.ts';
import { allowedEvents, deliveredName, isCanonical } from '../endpoints/subscription.rules.ts';
import { requeueDeliveries } from '../queue/delivery-writes.repository.ts';
import { MAX_IN_QUEUE, PATIENCE_MS } from '../queue/lease.rules.ts';
import { planReplay, type SeenEvent, wantedOf } from './replay-plan.rules.ts';
import {
  eventsAfter,
  failedAfter,
  listKnownDeliveries,
  lockReleasingEndpoint,
  lockReplay,
  type MissingDelivery,
  queueMissingDeliveries,
  releaseDeliveries,
  setNextRelease,
  updateReplay,
} from './replay-walk.repository.ts';
import { BATCH_ROWS, type HeldReplay, type Progress } from './replay-walk.statements.ts';

interface Batch extends Pick<HeldReplay, 'position' | 'is_over' | 'may_queue' | 'in_queue'> {
  /** Queues so many at most. */
  queue: (maxQueued: number) => Promise<Walked>;
}

type Walked = Pick<Progress, 'position' | 'queued' | 'skipped'> & { isDone: boolean };

/**
 * One batch of a replay: what it queues and how far it has come are one transaction, so that it goes on where it was,
 * after any death. Null where another process has it just now.
 */
export async function walkReplay(
  tx: TenantTransaction,
  id: number,
  perSecond: number,
): Promise<Progress | null> {
  const replay = await lockReplay(tx, id);
  if (replay === null) return null;
  const queue = replay.kind === 'failed' ? walkFailed : walkWindow;
  const made = await step({ ...replay, queue: (maxQueued) => queue(tx, replay, maxQueued) }, perSecond);
  await updateReplay(tx, id, made);
  return made;
}

/** Releases one batch of an endpoint's parked deliveries. */
export async function walkParked(
  tx: TenantTransaction,
  endpointId: number,
  perSecond: number,
): Promise<Progress | null> {
  const endpoint = await lockReleasingEndpoint(tx, endpointId);
  if (endpoint === null) return null;
  const queue = async (maxQueued: number) => {
    const queued = await releaseDeliveries(tx, endpointId, maxQueued);
    return { position: 0, queued, skipped: 0, isDone: queued < maxQueued };
  };
  const made = await step({ ...endpoint, position: 0, is_over: false, may_queue: true, queue }, perSecond);
  await setNextRelease(tx, endpointId, made.status === 'running' ? made.delayMs : null);
  return made;
}

/** Queues no more than may go out in a second, and than the endpoint's queue has room for. */
async function step({ queue, ...walk }: Batch, perSecond: number): Promise<Progress> {
  const stay = { position: walk.position, queued: 0, skipped: 0 };
  if (walk.is_over) return { ...stay, status: 'cancelled', delayMs: 0 };
  const maxQueued = Math.min(BATCH_ROWS, Math.ceil(perSecond), MAX_IN_QUEUE - walk.in_queue);
  if (!walk.may_queue || maxQueued <= 0) return { ...stay, status: 'running', delayMs: PATIENCE_MS };

  const { isDone, ...walked } = await queue(maxQueued);
  const delayMs = Math.ceil((walked.queued / perSecond) * 1_000);
  return { ...walked, status: isDone ? 'done' : 'running', delayMs };
}

async function walkFailed(tx: TenantTransaction, replay: HeldReplay, maxQueued: number): Promise<Walked> {
  const ids = await failedAfter(tx, replay, maxQueued);
  const queued = await requeueDeliveries(tx, replay.endpoint_id, ids);
  return {
    position: ids.at(-1) ?? replay.last_id,
    queued,
    skipped: ids.length - queued,
    isDone: ids.length < maxQueued,
  };
}

async function walkWindow(tx: TenantTransaction, replay: HeldReplay, maxQueued: number): Promise<Walked> {
  const { endpoint_id, window_from: from } = replay;
  const subscribed = allowedEvents(replay);
  const isMissed = replay.kind === 'missed';
  const to = isMissed ? lastMissed(replay.window_to) : replay.window_to;
  const seen = await eventsAfter(tx, replay);
  const wanted = wantedOf(seen, { from, to, subscribed });
  const known = await listKnownDeliveries(tx, endpoint_id, wanted);
  const again = isMissed ? 'none' : replay.include_delivered ? 'all' : 'undelivered';
  const plan = planReplay(wanted, known, { maxQueued, again });

  const made = await queueMissingDeliveries(tx, endpoint_id, namedFor(subscribed, plan.missing));
  const requeued = await requeueDeliveries(tx, endpoint_id, plan.again);
  return {
    position: plan.upTo ?? seen.at(-1)?.id ?? replay.last_id,
    queued: made + requeued,
    skipped: plan.skipped + plan.again.length - requeued,
    isDone: plan.upTo === null && seen.length < BATCH_ROWS,
  };
}

/** Each under the name that the endpoint is subscribed to. */
const namedFor = (subscribed: readonly string[], events: readonly SeenEvent[]): MissingDelivery[] =>
  events.flatMap((event) => {
    const name = isCanonical(event.name) ? deliveredName(event.name, subscribed) : null;
    return name === null ? [] : [{ eventRow: event.id, name }];
  });
