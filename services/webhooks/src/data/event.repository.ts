import { randomUUID } from 'node:crypto';
import type { DomainEvent } from '@frontdesk/contracts';
import { type Database, systemSql } from '@frontdesk/database';
import { type EventBody, fanOut, type PlannedDelivery, type SubscribedEndpoint } from '../domain/fan-out.ts';
import type { Claim } from './queue.repository.ts';

const findActiveEndpoints = systemSql<SubscribedEndpoint, [tenantIds: number[]]>(
  'endpoints_active_of_tenants',
  `select tenant_id, id, events, url, secret, consecutive_failures,
     case when previous_secret_until > now() then previous_secret end as previous_secret
   from endpoints
   where tenant_id = any($1::bigint[]) and is_active and deleted_at is null
   order by tenant_id, id`,
);

type ReceivedArgs = [
  ...[tenantIds: number[], eventIds: string[], names: string[], canonicalNames: string[]],
  ...[sequences: number[], occurredAts: string[], bodies: string[]],
  ...[
    deliveryTenantIds: number[],
    endpointIds: number[],
    deliveryEventIds: string[],
    deliveryNames: string[],
  ],
  ...[tokens: (string | null)[], owner: number | null, leaseMs: number],
];

// Bodies and deliveries only of events that have not come before, in the order they came in. One statement: all or nothing.
const insertReceived = systemSql<{ id: number; position: number }, ReceivedArgs>(
  'events_receive',
  `with told as (
     select * from unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[], $5::bigint[], $6::timestamptz[], $7::text[])
       as t (tenant_id, event_id, name, canonical_name, sequence, occurred_at, body)
   ), received as (
     insert into received_events (tenant_id, event_id)
     select tenant_id, event_id from told where name = canonical_name order by tenant_id, event_id
     on conflict do nothing
     returning tenant_id, event_id
   ), bodies as (
     insert into events (tenant_id, event_id, name, sequence, occurred_at, body)
     select tenant_id, event_id, name, sequence, occurred_at, body from told join received using (tenant_id, event_id)
     returning tenant_id, id, event_id, name
   ), planned as (
     select p.*, b.id as event_row
     from unnest($8::bigint[], $9::bigint[], $10::uuid[], $11::text[], $12::uuid[]) with ordinality
       as p (tenant_id, endpoint_id, event_id, name, lease_token, position)
     join bodies b on b.tenant_id = p.tenant_id and b.event_id = p.event_id and b.name = p.name
   ), logged as (
     insert into deliveries (tenant_id, endpoint_id, event_row, name)
     select tenant_id, endpoint_id, event_row, name from planned order by position
     returning tenant_id, id, endpoint_id, event_row
   ), numbered as (
     select l.id, l.tenant_id, l.endpoint_id, p.lease_token, p.position
     from logged l join planned p on p.endpoint_id = l.endpoint_id and p.event_row = l.event_row
   ), queued as (
     insert into delivery_queue (delivery_id, tenant_id, endpoint_id, lease_token, lease_owner, leased_until)
     select id, tenant_id, endpoint_id, lease_token, case when lease_token is not null then $13::integer end,
       case when lease_token is not null then now() + $14::integer * interval '1 millisecond' end
     from numbered
   )
   select id, position from numbered`,
);

/** Who may send deliveries at once, and how many: the process that takes their events in. */
export interface Lender {
  /** Takes the room for one delivery, where there is any; the delivery's result gives it back. */
  take(endpoint: SubscribedEndpoint): boolean;
  giveBack(endpointId: number): void;
  /** Whom this process's leases belong to; null while it may hold none. */
  owner(): number | null;
  leaseMs: number;
}

interface ReceivedDeliveries {
  /** Leased already, to be sent now. */
  claims: Claim[];
  /** How many wait to be claimed. */
  waiting: number;
}

export interface EventRepository {
  /**
   * Keeps the events that are new and a delivery for each subscribed endpoint. As many as there is room for are born
   * leased, so that nobody needs to look for them.
   */
  receive(events: readonly DomainEvent[], lender: Lender): Promise<ReceivedDeliveries>;
}

export function createEventRepository({ system }: Database): EventRepository {
  return {
    async receive(events, lender) {
      const endpoints = await system.many(findActiveEndpoints, [
        ...new Set(events.map((event) => event.tenant_id)),
      ]);
      const { bodies, deliveries } = fanOut(events, endpoints);
      if (bodies.length === 0) return { claims: [], waiting: 0 };

      const owner = lender.owner();
      const token = randomUUID();
      const leased = new Set(deliveries.filter(({ endpoint }) => owner !== null && lender.take(endpoint)));
      try {
        const tokens = deliveries.map((delivery) => (leased.has(delivery) ? token : null));
        const rows = await system.many(
          insertReceived,
          ...columnsOf(bodies, deliveries),
          tokens,
          owner,
          lender.leaseMs,
        );
        const claims: Claim[] = [];
        for (const { id, position } of rows) {
          const delivery = deliveries[position - 1] as PlannedDelivery;
          if (leased.delete(delivery)) claims.push({ ...claimOf(delivery), id, lease_token: token });
        }
        return { claims, waiting: rows.length - claims.length };
      } finally {
        // What was not stored: an event that had come before, or everything.
        for (const { endpoint } of leased) lender.giveBack(endpoint.id);
      }
    },
  };
}

function claimOf({ endpoint, eventId, body }: PlannedDelivery): Omit<Claim, 'id' | 'lease_token'> {
  const { tenant_id, id: endpoint_id, url, secret, previous_secret } = endpoint;
  return { tenant_id, endpoint_id, event_id: eventId, attempt_count: 0, url, secret, previous_secret, body };
}

function columnsOf(bodies: EventBody[], deliveries: PlannedDelivery[]) {
  return [
    bodies.map((row) => row.tenantId),
    bodies.map((row) => row.eventId),
    bodies.map((row) => row.name),
    bodies.map((row) => row.canonicalName),
    bodies.map((row) => row.sequence),
    bodies.map((row) => row.occurredAt),
    bodies.map((row) => row.body),
    deliveries.map(({ endpoint }) => endpoint.tenant_id),
    deliveries.map(({ endpoint }) => endpoint.id),
    deliveries.map((row) => row.eventId),
    deliveries.map((row) => row.name),
  ] as const;
}
