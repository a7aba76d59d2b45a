import type { CreateReplay } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { invalid } from '@frontdesk/service';
import type { HeldEndpoint } from '../data/endpoint-lock.repository.ts';
import { countMissedEvents } from '../data/missed-events.repository.ts';
import {
  beginMissedReplay,
  beginReplay,
  forgetReplays,
  type Replay,
  type ReplayWindow,
} from '../data/replay.repository.ts';
import { firstIdOfDay, lastIdOfDay } from '../domain/delivery-id.ts';
import { lastMissed } from '../domain/missed-events.ts';
import { subscribedEvents } from '../domain/replay-plan.ts';
import { useEndpoint } from './use-endpoint.ts';

const DAY_MS = 86_400_000;

/**
 * Begins to send again what failed, or a window of time; or what came in during the last pause. A worker does it.
 * @throws AppError `not_found`, or `validation_failed`: outside of what is kept, one is running, the endpoint isn't active
 */
export async function startReplay(
  tx: TenantTransaction,
  endpointId: number,
  wanted: CreateReplay,
  retentionDays: number,
): Promise<Replay> {
  const endpoint = await useEndpoint(tx, endpointId);
  await forgetReplays(tx, endpointId, retentionDays);
  const replay =
    wanted.kind === 'missed'
      ? await beginMissed(tx, endpointId, endpoint)
      : await beginReplay(tx, endpointId, windowOf(wanted, endpoint.events, retentionDays));
  if (replay === null) throw invalid({ replay: ['The endpoint has a replay that is still running.'] });
  return replay;
}

/** Of an active endpoint, the pause that is over: what it missed is what it has no delivery of. */
async function beginMissed(
  tx: TenantTransaction,
  endpointId: number,
  { missed_from: from, missed_to: to, events }: HeldEndpoint,
): Promise<Replay | null> {
  if (from === null || to === null) throw invalid({ kind: ['The endpoint has not been paused.'] });
  const query = { endpointId, from, to: lastMissed(to), names: subscribedEvents(events) };
  const { count } = await countMissedEvents(tx, query, { isWhole: true });
  return beginMissedReplay(tx, endpointId, { from, to, total: count });
}

function windowOf(
  { from, to, include_delivered: includeDelivered }: CreateReplay,
  subscribed: readonly string[],
  retentionDays: number,
): ReplayWindow | null {
  if (from === null || to === null) return null;
  if (to.getTime() - from.getTime() > retentionDays * DAY_MS) {
    throw invalid({ to: [`The to field must be at most ${retentionDays} days after from.`] });
  }
  const names = subscribedEvents(subscribed);
  return { from, to, includeDelivered, names, firstId: firstIdOfDay(from), lastId: lastIdOfDay(to) };
}
