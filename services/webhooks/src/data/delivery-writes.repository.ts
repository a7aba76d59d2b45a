import { type TenantTransaction, tenantSql } from '@frontdesk/database';
import { MAX_KEPT_ATTEMPTS } from '../domain/attempt.ts';
import { daysOf } from '../domain/delivery-id.ts';

type TestArgs = [
  ...[endpointId: number, eventId: string, name: string],
  ...[sequence: number, at: string, body: string],
];

const insertTest = tenantSql<{ id: number }, TestArgs>(
  'deliveries_insert_test',
  `with made as (
     insert into events (tenant_id, event_id, name, sequence, occurred_at, body)
     values ($1, $3, $4, $5, $6, $7) returning id, name
   ), logged as (
     insert into deliveries (tenant_id, endpoint_id, event_row, name)
     select $1::bigint, $2::bigint, id, name from made returning id, event_row
   )
   insert into delivery_queue (delivery_id, tenant_id, endpoint_id, event_row)
   select id, $1::bigint, $2::bigint, event_row from logged returning delivery_id as id`,
);

// One that is still under way, cancelled meanwhile, is in the queue yet: its result comes first.
const queueAgain = tenantSql<
  { id: number },
  [endpointId: number, deliveryIds: number[], firstId: number, lastId: number]
>(
  'deliveries_queue_again',
  `with again as (
     update deliveries d set status = 'pending', next_attempt_at = now(), delivered_at = null
     where d.tenant_id = $1 and d.endpoint_id = $2 and d.id = any($3::bigint[]) and d.id between $4 and $5
       and d.status <> 'pending' and d.attempt_count < ${MAX_KEPT_ATTEMPTS}
       and (select q.delivery_id from delivery_queue q where q.delivery_id = d.id limit 1) is null
     returning d.id, d.event_row
   )
   insert into delivery_queue (delivery_id, tenant_id, endpoint_id, event_row)
   select id, $1::bigint, $2::bigint, event_row from again returning delivery_id as id`,
);

export interface TestEvent {
  endpointId: number;
  eventId: string;
  name: string;
  sequence: number;
  at: string;
  body: string;
}

/** Logs and queues an event that is for one endpoint alone. Returns the delivery's id. */
export async function insertTestDelivery(tx: TenantTransaction, test: TestEvent): Promise<number> {
  const { endpointId, eventId, name, sequence, at, body } = test;
  return (await tx.one(insertTest, endpointId, eventId, name, sequence, at, body)).id;
}

/**
 * Makes settled deliveries of an endpoint pending again, with all their attempts before them.
 * @returns how many: those that wait, are under way, or have had as many as are kept, are left as they are
 */
export async function requeueDeliveries(
  tx: TenantTransaction,
  endpointId: number,
  ids: readonly number[],
): Promise<number> {
  if (ids.length === 0) return 0;
  return tx.run(queueAgain, endpointId, [...ids], ...daysOf(ids));
}
