import type { WebhookEventName } from '@frontdesk/contracts';
import type { SystemScope, TenantTransaction } from '@frontdesk/database';
import { daysOf } from '../domain/delivery-id.ts';
import type { KnownDelivery, SeenEvent } from '../domain/replay-plan.ts';
import {
  findBodies,
  findDue,
  findKnown,
  type HeldReplay,
  hold,
  type Progress,
  progress,
  queueMissing,
  seeEvents,
  seeFailed,
} from './replay-walk.statements.ts';

/** The replay that has waited longest among those that nobody is at work on. */
export const findDueReplay = (system: SystemScope) => system.maybeOne(findDue);

/** Held until the transaction ends, with its endpoint as it is. Null where another process has it, or has moved it on. */
export const lockReplay = (tx: TenantTransaction, id: number, countUpTo: number) =>
  tx.maybeOne(hold, id, countUpTo);

export const eventsAfter = (tx: TenantTransaction, { position, last_id }: HeldReplay) =>
  tx.many(seeEvents, position, last_id);

export async function failedAfter(
  tx: TenantTransaction,
  replay: HeldReplay,
  limit: number,
): Promise<number[]> {
  const rows = await tx.many(seeFailed, replay.endpoint_id, replay.position, replay.last_id, limit);
  return rows.map(({ id }) => id);
}

export async function listKnownDeliveries(
  tx: TenantTransaction,
  endpointId: number,
  events: readonly SeenEvent[],
): Promise<KnownDelivery[]> {
  if (events.length === 0) return [];
  const ids = events.map(({ id }) => id);
  const eventIds = events.map(({ event_id }) => event_id);
  return tx.many(findKnown, endpointId, ids, eventIds, ...daysOf(ids));
}

/** The bodies of these events, and which of their other names have one: those are without their text. */
export const listBodies = (tx: TenantTransaction, events: readonly SeenEvent[]) => {
  const ids = events.map(({ id }) => id);
  return tx.many(
    findBodies,
    ids,
    events.map(({ event_id }) => event_id),
    ...daysOf(ids),
  );
};

export interface MissingDelivery {
  canonicalRow: number;
  name: WebhookEventName;
  /** Where the body is; null where it is yet to be stored. */
  eventRow: number | null;
  body: string | null;
}

export async function queueMissingDeliveries(
  tx: TenantTransaction,
  endpointId: number,
  missing: readonly MissingDelivery[],
): Promise<number> {
  if (missing.length === 0) return 0;
  const canonicalRows = missing.map(({ canonicalRow }) => canonicalRow);
  const [firstId, lastId] = daysOf(canonicalRows);
  return tx.run(queueMissing, {
    endpointId,
    canonicalRows,
    names: missing.map(({ name }) => name),
    rows: missing.map(({ eventRow }) => eventRow),
    bodies: missing.map(({ body }) => body),
    firstId,
    lastId,
  });
}

export const updateReplay = (tx: TenantTransaction, id: number, made: Progress) =>
  tx.run(progress, { id, ...made });
