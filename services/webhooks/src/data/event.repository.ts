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
  ...[tenantIds: number[], eventIds: string[], names: string[], isCanonical: boolean[]],
  ...[sequences: number[], occurredAts: string[], bodies: string[]],
  ...[deliveryTenantIds: number[], endpointIds: number[], bodyPositions: number[], deliveryNames: string[]],
  ...[tokens: (string | null)[], owner: number | null, leaseMs: number],
];

// Bodies and deliveries only of events that have not come before, in the order they came in, and only to endpoints that are
// still active: those are locked against being deleted, paused or disabled until the deliveries are there, so that whoever ends
// one sees all that waits for it. One statement: all or nothing.
// Deliveries name their body by its position, so that nothing has to be joined.
const insertReceived = systemSql<{ id: number; position: number }, ReceivedArgs>(
  'events_receive',
  `with told as materialized (
     select * from unnest($1::bigint[], $2::uuid[], $3::text[], $4::boolean[], $5::bigint[], $6::timestamptz[], $7::text[])
       with ordinality as t (tenant_id, event_id, name, is_canonical, sequence, occurred_at, body, position)
   ), received as (
     insert into received_events (tenant_id, event_id)
     select tenant_id, event_id from told where is_canonical order by tenant_id, event_id
     on conflict do nothing
     returning event_id
   ), known as materialized (
     select told.*, (event_id in (select event_id from received)) as is_new, day_id(nextval('event_ids')) as id from told
   ), stored as (
     insert into events (tenant_id, id, event_id, name, sequence, occurred_at, body)
     select tenant_id, id, event_id, name, sequence, occurred_at, body from known where is_new
   ), by_position as materialized (
     select array_agg(id order by position) as ids, array_agg(is_new order by position) as are_new from known
   ), active as materialized (
     select id from endpoints
     where id = any($9::bigint[]) and is_active and deleted_at is null
     order by id for share
   ), planned as materialized (
     select p.*, day_id(nextval('delivery_ids')) as id
     from (
       select p.*, b.ids[p.body_position] as event_row
       from unnest($8::bigint[], $9::bigint[], $10::integer[], $11::text[], $12::uuid[]) with ordinality
         as p (tenant_id, endpoint_id, body_position, name, lease_token, position), by_position b
       where b.are_new[p.body_position] and p.endpoint_id = any(array(select id from active))
       order by p.position
     ) p
   ), logged as (
     insert into deliveries (tenant_id, id, endpoint_id, event_row, name)
     select tenant_id, id, endpoint_id, event_row, name from planned
   ), queued as (
     insert into delivery_queue (delivery_id, tenant_id, endpoint_id, lease_token, lease_owner, leased_until)
     select id, tenant_id, endpoint_id, lease_token, case when lease_token is not null then $13::integer end,
       case when lease_token is not null then now() + $14::integer * interval '1 millisecond' end
     from planned
   )
   select id, position from planned`,
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
        // What was not stored: an event that had come before, an endpoint that is over, or everything.
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
    bodies.map((row) => row.isCanonical),
    bodies.map((row) => row.sequence),
    bodies.map((row) => row.occurredAt),
    bodies.map((row) => row.body),
    deliveries.map(({ endpoint }) => endpoint.tenant_id),
    deliveries.map(({ endpoint }) => endpoint.id),
    deliveries.map((row) => row.bodyPosition),
    deliveries.map((row) => row.name),
  ] as const;
}
