import { type TenantReads, tenantSql } from '@frontdesk/database';
import { namesOfTopic, WEBHOOK_TOPICS, WEBHOOKS_GROUP } from '../events/webhook-topics.rules.ts';
import type { DeliveryGapRow } from './delivery-gap.rules.ts';

// Each partition has gaps of its own, which are one to a receiver where they overlap. Of whom a lost event was nobody knows:
// concerned is who had an endpoint then that is subscribed to events of the topic.
const list = tenantSql<DeliveryGapRow, { topics: string; days: number }>(
  'delivery_gaps_list',
  `select $topics::jsonb -> topic ->> 'records' as records, lower(span) as since, upper(span) as until
   from (
     select gap.topic, unnest(range_agg(tstzrange(gap.since, gap.until, '[]'))) as span
     from event_gaps gap
     where gap.consumer = '${WEBHOOKS_GROUP}' and gap.found_at > now() - make_interval(days => $days)
       and exists (
         select from endpoints e
         where e.tenant_id = $tenantId and e.created_at < gap.until
           and (e.deleted_at is null or e.deleted_at > coalesce(gap.since, '-infinity'))
           and $topics::jsonb -> gap.topic -> 'names' ?| e.events
       )
     group by gap.topic
   ) missing
   order by until desc, topic`,
);

/**
 * When a tenant may not have been sent what happened, as Kafka had deleted the events before they were taken in. The latest first; of
 * those that were found within the time for which the log is kept.
 * @param nameOf what a topic is called in Kafka
 */
export function listDeliveryGaps(
  db: TenantReads,
  nameOf: (topic: string) => string,
  retentionDays: number,
): Promise<DeliveryGapRow[]> {
  const topics = WEBHOOK_TOPICS.map(
    (records) => [nameOf(records), { records, names: namesOfTopic(records) }] as const,
  );
  return db.many(list, { topics: JSON.stringify(Object.fromEntries(topics)), days: retentionDays });
}
