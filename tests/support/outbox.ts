import type { EventEnvelope } from '@frontdesk/contracts';
import { type Database, systemSql } from '@frontdesk/database';

const outboxOf = systemSql<{ envelope: EventEnvelope }, { tenantId: number }>(
  'test_outbox',
  'select envelope from outbox where tenant_id = $tenantId order by id',
);

/** The events that a service has recorded for a tenant, published or not, the oldest first. */
export async function recordedEvents(database: Database, tenantId: number): Promise<EventEnvelope[]> {
  return (await database.system.many(outboxOf, { tenantId })).map(({ envelope }) => envelope);
}
