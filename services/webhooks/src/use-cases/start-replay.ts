import type { CreateReplay } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { invalid } from '@frontdesk/service';
import { beginReplay, forgetReplays, type Replay, type ReplayWindow } from '../data/replay.repository.ts';
import { firstIdOfDay, lastIdOfDay } from '../domain/delivery-id.ts';
import { subscribedEvents } from '../domain/replay-plan.ts';
import { useEndpoint } from './use-endpoint.ts';

const DAY_MS = 86_400_000;

/**
 * Begins the repetition of what failed, or of a window of time; a worker does it.
 * @throws AppError `not_found`, or `validation_failed`: outside of what is kept, one is running, the endpoint isn't active
 */
export async function startReplay(
  tx: TenantTransaction,
  endpointId: number,
  wanted: CreateReplay,
  retentionDays: number,
): Promise<Replay> {
  const { events } = await useEndpoint(tx, endpointId);
  await forgetReplays(tx, endpointId, retentionDays);
  const replay = await beginReplay(tx, endpointId, windowOf(wanted, events, retentionDays));
  if (replay === null) throw invalid({ replay: ['The endpoint has a replay that is still running.'] });
  return replay;
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
