import type { WebhookEventName } from '@frontdesk/contracts';
import type { SystemScope, TenantTransaction } from '@frontdesk/database';
import { daysOf } from '../queue/delivery-id.rules.ts';
import type { KnownDelivery, SeenEvent } from './replay-plan.rules.ts';
import {
  findDue,
  findKnown,
  findReleasing,
  type HeldReplay,
  hold,
  holdReleasing,
  type Progress,
  progress,
  queueMissing,
  releaseParked,
  seeEvents,
  seeFailed,
  setReleaseAt,
} from './replay-walk.statements.ts';

/** The replay that has waited longest among those that nobody is at work on. */
export const findDueReplay = (system: SystemScope) => system.maybeOne(findDue);

/** Held until the transaction ends, with its endpoint as it is. Null where another process has it, or has moved it on. */
export const lockReplay = (tx: TenantTransaction, id: number) => tx.maybeOne(hold, { id });

export const eventsAfter = (tx: TenantTransaction, { position, last_id }: HeldReplay) =>
  tx.many(seeEvents, { after: position, upTo: last_id });

export async function failedAfter(
  tx: TenantTransaction,
  replay: HeldReplay,
  limit: number,
): Promise<number[]> {
  const rows = await tx.many(seeFailed, {
    endpointId: replay.endpoint_id,
    after: replay.position,
    upTo: replay.last_id,
    limit,
  });
  return rows.map(({ id }) => id);
}

export async function listKnownDeliveries(
  tx: TenantTransaction,
  endpointId: number,
  events: readonly SeenEvent[],
): Promise<KnownDelivery[]> {
  if (events.length === 0) return [];
  const eventRows = events.map(({ id }) => id);
  const eventIds = events.map(({ event_id }) => event_id);
  const [firstId, lastId] = daysOf(eventRows);
  return tx.many(findKnown, { endpointId, eventRows, eventIds, firstId, lastId });
}

/** An event, and the name under which the endpoint gets it. */
export interface MissingDelivery {
  eventRow: number;
  name: WebhookEventName;
}

export async function queueMissingDeliveries(
  tx: TenantTransaction,
  endpointId: number,
  missing: readonly MissingDelivery[],
): Promise<number> {
  if (missing.length === 0) return 0;
  const eventRows = missing.map(({ eventRow }) => eventRow);
  const [firstId, lastId] = daysOf(eventRows);
  const names = missing.map(({ name }) => name);
  return tx.run(queueMissing, { endpointId, eventRows, names, firstId, lastId });
}

export const updateReplay = (tx: TenantTransaction, id: number, made: Progress) =>
  tx.run(progress, { id, ...made });

/** The endpoint of a resumed tenant whose next release has been due for longest. */
export const findReleasingEndpoint = (system: SystemScope) => system.maybeOne(findReleasing);

/** Held until the transaction ends. Null where another process has it, or has moved it on. */
export const lockReleasingEndpoint = (tx: TenantTransaction, id: number) =>
  tx.maybeOne(holdReleasing, { id });

/** Makes up to `limit` parked deliveries due, those of the oldest events first. @returns how many */
export const releaseDeliveries = (tx: TenantTransaction, endpointId: number, limit: number) =>
  tx.run(releaseParked, { endpointId, limit });

/** @param delayMs until the next batch; null where nothing is parked any more */
export const setNextRelease = (tx: TenantTransaction, id: number, delayMs: number | null) =>
  tx.run(setReleaseAt, { id, delayMs });
