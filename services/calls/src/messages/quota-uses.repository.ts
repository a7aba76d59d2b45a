import { leastNear, MAX_QUOTA_USES, type QuotaUsage, type QuotaUse } from '@frontdesk/contracts';
import { type SystemScope, systemSql, type TenantReads } from '@frontdesk/database';
import { countSources } from '../sources/call-source.repository.ts';
import { countMessagesToday } from './call-message-day.repository.ts';

interface FindArgs {
  day: string;
  sourcesFrom: number;
  messagesFrom: number;
  bytesFrom: number;
  limit: number;
}

const ofToday = (quota: string, column: 'messages' | 'bytes', from: string) => `
  (select tenant_id, '${quota}' as quota, ${column} as used from call_message_days
   where day = $day::date and ${column} >= ${from} order by used desc limit $limit::integer)`;

const find = systemSql<QuotaUse, FindArgs>(
  'quota_uses',
  `(select tenant_id, 'call_sources' as quota, count(*) as used from call_sources
    where deleted_at is null group by tenant_id having count(*) >= $sourcesFrom::bigint
    order by used desc limit $limit::integer)
   union all ${ofToday('call_messages_per_day', 'messages', '$messagesFrom::bigint')}
   union all ${ofToday('call_bytes_per_day', 'bytes', '$bytesFrom::bigint')}`,
);

/** Tenants that may be near a quota; of each quota those who use most. */
export const findQuotaUses = (system: SystemScope) =>
  system.many(find, {
    day: new Date().toISOString().slice(0, 10),
    sourcesFrom: leastNear('call_sources'),
    messagesFrom: leastNear('call_messages_per_day'),
    bytesFrom: leastNear('call_bytes_per_day'),
    limit: MAX_QUOTA_USES,
  });

/** How much of these quotas one tenant uses. */
export async function readQuotaUsage(db: TenantReads): Promise<QuotaUsage> {
  const [call_sources, today] = await Promise.all([countSources(db), countMessagesToday(db)]);
  return { call_sources, call_messages_per_day: today.messages, call_bytes_per_day: today.bytes };
}
