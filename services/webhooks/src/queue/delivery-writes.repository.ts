import { type TenantTransaction, tenantSql } from '@frontdesk/database';
import { MAX_KEPT_ATTEMPTS } from '../receivers/attempt.rules.ts';
import { daysOf } from './delivery-id.rules.ts';

export interface TestEvent {
  endpointId: number;
  eventId: string;
  name: string;
  sequence: number;
  at: string;
  body: string;
}

const insertTest = tenantSql<{ id: number }, TestEvent>(
  'deliveries_insert_test',
  `with made as (
     insert into events (tenant_id, event_id, name, sequence, occurred_at, body)
     values ($tenantId, $eventId, $name, $sequence, $at, $body) returning id, name
   ), logged as (
     insert into deliveries (tenant_id, endpoint_id, event_row, name)
     select $tenantId::bigint, $endpointId::bigint, id, name from made returning id, event_row, name
   )
   insert into delivery_queue (delivery_id, tenant_id, endpoint_id, event_row, name)
   select id, $tenantId::bigint, $endpointId::bigint, event_row, name from logged returning delivery_id as id`,
);

// One that is still in flight, cancelled meanwhile, is in the queue yet: its result comes first.
const queueAgain = tenantSql<
  { id: number },
  { endpointId: number; deliveryIds: number[]; firstId: number; lastId: number }
>(
  'deliveries_queue_again',
  `with again as (
     update deliveries d set status = 'pending', next_attempt_at = now(), delivered_at = null
     where d.tenant_id = $tenantId and d.endpoint_id = $endpointId and d.id = any($deliveryIds::bigint[])
       and d.id between $firstId and $lastId
       and d.status <> 'pending' and d.attempt_count < ${MAX_KEPT_ATTEMPTS}
       and (select q.delivery_id from delivery_queue q where q.tenant_id = d.tenant_id and q.delivery_id = d.id limit 1) is null
     returning d.id, d.event_row, d.name
   )
   insert into delivery_queue (delivery_id, tenant_id, endpoint_id, event_row, name)
   select id, $tenantId::bigint, $endpointId::bigint, event_row, name from again returning delivery_id as id`,
);

// Waits for a process that is recording its attempt or claiming it: a delivery in flight keeps its lease.
const hasten = tenantSql<never, { endpointId: number; deliveryId: number }>(
  'deliveries_hasten',
  `with held as materialized (
     select delivery_id, lease_token from delivery_queue
     where tenant_id = $tenantId and endpoint_id = $endpointId and delivery_id = $deliveryId and not is_cancelled
     for update
   ), first as materialized (
     select q.due_at from delivery_queue q
     where q.tenant_id = $tenantId and q.endpoint_id = $endpointId and q.lease_token is null order by q.due_at limit 1
   ), hastened as (
     update delivery_queue q set due_at = least(now(), (select due_at from first) - interval '1 microsecond')
     from held where q.tenant_id = $tenantId and q.delivery_id = held.delivery_id and held.lease_token is null
     returning q.delivery_id
   )
   update deliveries d set next_attempt_at = now()
   from hastened where d.tenant_id = $tenantId and d.id = hastened.delivery_id`,
);

const findQueued = tenantSql<{ delivery_id: number }, { endpointId: number; deliveryId: number }>(
  'deliveries_find_queued',
  `select delivery_id from delivery_queue
   where tenant_id = $tenantId and endpoint_id = $endpointId and delivery_id = $deliveryId and not is_cancelled`,
);

/** @returns false where it is neither waiting nor in flight */
export async function hastenDelivery(
  tx: TenantTransaction,
  endpointId: number,
  id: number,
): Promise<boolean> {
  const hastened = await tx.run(hasten, { endpointId, deliveryId: id });
  return hastened > 0 || (await tx.maybeOne(findQueued, { endpointId, deliveryId: id })) !== null;
}

/** Logs and queues an event that is for one endpoint alone. Returns the delivery's id. */
export const insertTestDelivery = async (tx: TenantTransaction, test: TestEvent) =>
  (await tx.one(insertTest, test)).id;

/**
 * Makes settled deliveries of an endpoint pending again, with all their attempts before them.
 * @returns how many: those that wait, are in flight, or have had as many as are kept, are left as they are
 */
export async function requeueDeliveries(
  tx: TenantTransaction,
  endpointId: number,
  ids: readonly number[],
): Promise<number> {
  if (ids.length === 0) return 0;
  const [firstId, lastId] = daysOf(ids);
  return tx.run(queueAgain, { endpointId, deliveryIds: [...ids], firstId, lastId });
}
