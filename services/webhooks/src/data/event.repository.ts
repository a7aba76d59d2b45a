import type { DomainEvent } from '@frontdesk/contracts';
import { type Database, systemSql } from '@frontdesk/database';
import { type EventBody, fanOut, type PlannedDelivery, type SubscribedEndpoint } from '../domain/fan-out.ts';

// Locked against being deleted or disabled until the deliveries are there: those that end an endpoint then see them.
const lockActiveEndpoints = systemSql<SubscribedEndpoint, [tenantIds: number[]]>(
  'endpoints_active_of_tenants',
  `select tenant_id, id, events from endpoints
   where tenant_id = any($1::bigint[]) and is_active and deleted_at is null
   order by tenant_id, id for share`,
);

type ReceivedArgs = [
  ...[tenantIds: number[], eventIds: string[], names: string[], sequences: number[]],
  ...[occurredAts: string[], bodies: string[]],
  ...[deliveryTenantIds: number[], endpointIds: number[], deliveryEventIds: string[]],
  ...[canonicalNames: string[], deliveryNames: string[]],
];

// Deliveries only of events that were new a moment ago, by the row under their own name; in the order they came in.
const insertReceived = systemSql<never, ReceivedArgs>(
  'events_receive',
  `with received as (
     insert into events (tenant_id, event_id, name, sequence, occurred_at, body)
     select * from unnest($1::bigint[], $2::uuid[], $3::text[], $4::bigint[], $5::timestamptz[], $6::text[])
     on conflict do nothing
     returning tenant_id, event_id, name
   )
   insert into deliveries (tenant_id, endpoint_id, event_id, name)
   select p.tenant_id, p.endpoint_id, p.event_id, p.name
   from unnest($7::bigint[], $8::bigint[], $9::uuid[], $10::text[], $11::text[]) with ordinality
     as p (tenant_id, endpoint_id, event_id, canonical_name, name, position)
   join received r on r.tenant_id = p.tenant_id and r.event_id = p.event_id and r.name = p.canonical_name
   order by p.position
   on conflict do nothing`,
);

export interface EventRepository {
  /** Keeps the events that are new and a delivery for each subscribed endpoint. Returns how many deliveries. */
  receive(events: readonly DomainEvent[]): Promise<number>;
}

export function createEventRepository(database: Database): EventRepository {
  return {
    receive: (events) =>
      database.system.transaction(async (tx) => {
        const tenantIds = [...new Set(events.map((event) => event.tenant_id))];
        const endpoints = await tx.many(lockActiveEndpoints, tenantIds);
        const { bodies, deliveries } = fanOut(events, endpoints);
        if (bodies.length === 0) return 0;
        return tx.run(insertReceived, ...columnsOf(bodies, deliveries));
      }),
  };
}

function columnsOf(bodies: EventBody[], deliveries: PlannedDelivery[]): ReceivedArgs {
  return [
    bodies.map((row) => row.tenantId),
    bodies.map((row) => row.eventId),
    bodies.map((row) => row.name),
    bodies.map((row) => row.sequence),
    bodies.map((row) => row.occurredAt),
    bodies.map((row) => row.body),
    deliveries.map((row) => row.tenantId),
    deliveries.map((row) => row.endpointId),
    deliveries.map((row) => row.eventId),
    deliveries.map((row) => row.event),
    deliveries.map((row) => row.name),
  ];
}
