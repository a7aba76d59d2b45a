import type { TenantTransaction } from '@frontdesk/database';
import { requeueDeliveries } from '../data/delivery-writes.repository.ts';
import {
  eventsAfter,
  failedAfter,
  listBodies,
  listKnownDeliveries,
  lockReplay,
  type MissingDelivery,
  queueMissingDeliveries,
  updateReplay,
} from '../data/replay-walk.repository.ts';
import { BATCH_ROWS, type HeldReplay, type Progress } from '../data/replay-walk.statements.ts';
import { lastMissed } from '../domain/missed-events.ts';
import { renamed } from '../domain/payload.ts';
import { MAX_IN_QUEUE, PATIENCE_MS } from '../domain/queue-bound.ts';
import { planReplay, type SeenEvent, wantedOf } from '../domain/replay-plan.ts';
import { deliveredName, isCanonical } from '../domain/subscription.ts';

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
  const replay = await lockReplay(tx, id, MAX_IN_QUEUE);
  if (replay === null) return null;
  const made = await step(tx, replay, perSecond);
  await updateReplay(tx, id, made);
  return made;
}

async function step(tx: TenantTransaction, replay: HeldReplay, perSecond: number): Promise<Progress> {
  const stay = { position: replay.position, queued: 0, skipped: 0 };
  if (replay.is_over) return { ...stay, status: 'cancelled', delayMs: 0 };
  const maxQueued = Math.min(BATCH_ROWS, Math.ceil(perSecond), MAX_IN_QUEUE - replay.in_queue);
  const mayQueue = replay.is_active && !replay.is_suspended && maxQueued > 0;
  if (!mayQueue) return { ...stay, status: 'running', delayMs: PATIENCE_MS };

  const walk = replay.kind === 'failed' ? walkFailed : walkWindow;
  const { isDone, ...walked } = await walk(tx, replay, maxQueued);
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
  const { endpoint_id, events: subscribed, window_from: from } = replay;
  const isMissed = replay.kind === 'missed';
  const to = isMissed ? lastMissed(replay.window_to) : replay.window_to;
  const seen = await eventsAfter(tx, replay);
  const wanted = wantedOf(seen, { from, to, subscribed });
  const known = await listKnownDeliveries(tx, endpoint_id, wanted);
  const again = isMissed ? 'none' : replay.include_delivered ? 'all' : 'undelivered';
  const plan = planReplay(wanted, known, { maxQueued, again });

  const missing = await withBodies(tx, plan.missing, subscribed);
  const made = await queueMissingDeliveries(tx, endpoint_id, missing);
  const requeued = await requeueDeliveries(tx, endpoint_id, plan.again);
  return {
    position: plan.upTo ?? seen.at(-1)?.id ?? replay.last_id,
    queued: made + requeued,
    skipped: plan.skipped + plan.again.length - requeued,
    isDone: plan.upTo === null && seen.length < BATCH_ROWS,
  };
}

/** Under a name that nobody had an event under so far, its body is made from that under its own. */
async function withBodies(
  tx: TenantTransaction,
  events: readonly SeenEvent[],
  subscribed: readonly string[],
): Promise<MissingDelivery[]> {
  const named = events.flatMap((event) => {
    const name = isCanonical(event.name) ? deliveredName(event.name, subscribed) : null;
    return name === null ? [] : [{ event, name }];
  });
  const renamedEvents = named.filter(({ event, name }) => name !== event.name).map(({ event }) => event);
  const bodies = renamedEvents.length > 0 ? await listBodies(tx, renamedEvents) : [];
  const stored = new Map(bodies.map((row) => [`${row.event_id} ${row.name}`, row]));
  return named.map(({ event, name }) => {
    const eventRow = name === event.name ? event.id : (stored.get(`${event.event_id} ${name}`)?.id ?? null);
    const canonical = stored.get(`${event.event_id} ${event.name}`);
    const body = eventRow === null && canonical ? renamed(canonical.body, name) : null;
    return { canonicalRow: event.id, name, eventRow, body };
  });
}
