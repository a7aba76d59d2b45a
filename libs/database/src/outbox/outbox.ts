import { randomUUID } from 'node:crypto';
import { EVENT_TYPES, type EventData, type EventType, SCHEMA_VERSION } from '@frontdesk/contracts';
import { currentTraceparent } from '@frontdesk/service';
import type { TenantExecutor } from '../scope/executor.ts';
import { tenantSql } from '../scope/statements.ts';

export interface EmittedEvent<Type extends EventType> {
  aggregateId: number;
  /** Grows by one with every change of this record. */
  version: number;
  /** The full state after the change. */
  data: EventData<Type>;
}

const insertEvent = tenantSql<
  never,
  { eventId: string; topic: string; aggregateId: number; envelope: string; traceparent: string | null }
>(
  'outbox_insert',
  `insert into outbox (tenant_id, event_id, topic, aggregate_id, envelope, traceparent)
   values ($tenantId, $eventId, $topic, $aggregateId, $envelope, $traceparent)`,
);

/** Writes the event into the outbox, in the transaction that causes it. @throws TypeError, before anything is sent, where it isn't JSON */
export function writeEvent<Type extends EventType>(
  executor: TenantExecutor,
  tenantId: number,
  type: Type,
  event: EmittedEvent<Type>,
): Promise<number> {
  const eventId = randomUUID();
  const envelope = JSON.stringify({
    event_id: eventId,
    type,
    schema_version: SCHEMA_VERSION,
    tenant_id: tenantId,
    aggregate_id: event.aggregateId,
    aggregate_version: event.version,
    occurred_at: new Date().toISOString(),
    data: event.data,
  });
  const { topic } = EVENT_TYPES[type];
  return executor.run(insertEvent, {
    eventId,
    topic,
    aggregateId: event.aggregateId,
    envelope,
    traceparent: currentTraceparent(),
  });
}
