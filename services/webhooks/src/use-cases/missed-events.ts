import type { MissedEvents } from '@frontdesk/contracts';
import type { TenantReads } from '@frontdesk/database';
import { notFound } from '@frontdesk/service';
import { findEndpoint } from '../data/endpoint.repository.ts';
import { countMissedEvents } from '../data/missed-events.repository.ts';
import { lastMissed } from '../domain/missed-events.ts';
import { subscribedEvents } from '../domain/replay-plan.ts';

/** What came in for an endpoint while it was last paused or disabled, and has not gone to it. @throws AppError `not_found` */
export async function missedEventsOf(db: TenantReads, endpointId: number): Promise<MissedEvents> {
  const endpoint = await findEndpoint(db, endpointId);
  if (endpoint === null) throw notFound('Webhook endpoint');
  const { missed_from: from, missed_to: resumedAt, events } = endpoint;
  if (from === null) return { to: null, count: 0, is_partial: false };
  const to = lastMissed(resumedAt ?? new Date());
  const query = { endpointId, from, to, names: subscribedEvents(events) };
  const { count, isPartial } = await countMissedEvents(db, query, { isWhole: false });
  return { to: resumedAt?.toISOString() ?? null, count, is_partial: isPartial };
}
