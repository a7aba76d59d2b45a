import type { CreateReplay } from '@frontdesk/contracts';
import { isConstraintViolation, type TenantTransaction } from '@frontdesk/database';
import { type Identity, invalid } from '@frontdesk/service';
import type { EndpointRow } from '../endpoints/endpoint.rules.ts';
import { lastMissed } from '../endpoints/missed-events.rules.ts';
import { allowedEvents } from '../endpoints/subscription.rules.ts';
import { useEndpoint } from '../endpoints/use-endpoint.ts';
import { firstIdOfDay, lastIdOfDay } from '../queue/delivery-id.rules.ts';
import { countMissedEvents } from './missed-events.repository.ts';
import {
  insertReplay,
  measureFailedWalk,
  measureWindowWalk,
  type NewReplay,
  ONE_RUNNING,
  purgeReplays,
} from './replay.repository.ts';
import type { ReplayRow } from './replay.rules.ts';
import { subscribedEvents } from './replay-plan.rules.ts';

const DAY_MS = 86_400_000;

/**
 * Begins to send again what failed, or a window of time; or what came in during the last pause. A worker does it.
 * @throws AppError `not_found`, or `validation_failed`: outside of what is kept, one is running, the endpoint isn't active
 */
export async function startReplay(
  tx: TenantTransaction,
  { endpointId, by, retentionDays }: { endpointId: number; by: Identity; retentionDays: number },
  wanted: CreateReplay,
): Promise<ReplayRow> {
  const endpoint = await useEndpoint(tx, endpointId, by);
  await purgeReplays(tx, endpointId, retentionDays);
  const planned =
    wanted.kind === 'missed'
      ? await ofPause(tx, endpoint)
      : ((await ofWindow(tx, endpoint, wanted, retentionDays)) ?? (await ofFailed(tx, endpoint)));
  try {
    return await insertReplay(tx, planned);
  } catch (error) {
    if (!isConstraintViolation(error, ONE_RUNNING)) throw error;
    throw invalid({ replay: ['The endpoint has a replay that is still running.'] });
  }
}

const ofFailed = async (tx: TenantTransaction, { id }: EndpointRow): Promise<NewReplay> => ({
  endpoint_id: id,
  kind: 'failed',
  include_delivered: false,
  window_from: null,
  window_to: null,
  position: 0,
  ...(await measureFailedWalk(tx, id)),
});

/** Of an active endpoint, the pause that is over: what it missed is what it has no delivery of. */
async function ofPause(
  tx: TenantTransaction,
  { id, missed_from: from, missed_to: to, ...endpoint }: EndpointRow,
): Promise<NewReplay> {
  if (from === null || to === null) throw invalid({ kind: ['The endpoint has not been paused.'] });
  const query = {
    endpointId: id,
    from,
    to: lastMissed(to),
    names: subscribedEvents(allowedEvents(endpoint)),
  };
  const { count } = await countMissedEvents(tx, query, { isWhole: true });
  return {
    endpoint_id: id,
    kind: 'missed',
    include_delivered: false,
    window_from: from,
    window_to: to,
    // It ends where the log ends by then: intake that had begun before the endpoint was resumed may still be under way.
    position: firstIdOfDay(from) - 1,
    last_id: lastIdOfDay(query.to),
    total: count,
  };
}

/** Null where no window is given. */
async function ofWindow(
  tx: TenantTransaction,
  { id, ...endpoint }: EndpointRow,
  { from, to, include_delivered }: CreateReplay,
  retentionDays: number,
): Promise<NewReplay | null> {
  if (from === null || to === null) return null;
  if (to.getTime() - from.getTime() > retentionDays * DAY_MS)
    throw invalid({
      to: [
        {
          text: `The to field must be at most ${retentionDays} days after from.`,
          reason: 'window_too_long',
          most_days: retentionDays,
        },
      ],
    });
  const [firstId, lastId] = [firstIdOfDay(from), lastIdOfDay(to)];
  return {
    endpoint_id: id,
    kind: 'window',
    include_delivered,
    window_from: from,
    window_to: to,
    position: firstId - 1,
    ...(await measureWindowWalk(tx, {
      from,
      to,
      names: subscribedEvents(allowedEvents(endpoint)),
      firstId,
      lastId,
    })),
  };
}
