import { systemSql } from '@frontdesk/database';

/**
 * Returns leased deliveries to the queue without an attempt: due at once, or after a delay. A delivery that was
 * cancelled meanwhile ends. Rows are looked up by key, as in the statement that writes results: PostgreSQL may still
 * believe that the queue is empty, and would read it whole.
 */
export const returnUnused = systemSql<never, { deliveryIds: number[]; tokens: string[]; delaysMs: number[] }>(
  'deliveries_return',
  `with unused as materialized (
     select r.delivery_id, r.delay_ms, q.is_cancelled
     from (
       select * from unnest($deliveryIds::bigint[], $tokens::uuid[], $delaysMs::integer[]) as r (delivery_id, lease_token, delay_ms)
       order by delivery_id
     ) r cross join lateral (
       select q.lease_token, q.is_cancelled from delivery_queue q where q.delivery_id = r.delivery_id limit 1 for update
     ) q
     where q.lease_token = r.lease_token
   ), ended as (
     delete from delivery_queue q where q.delivery_id = any(array(select delivery_id from unused where is_cancelled))
   ), put_off as (
     update delivery_queue q set due_at = now() + interval '1 millisecond' * (array(select delay_ms from unused where delay_ms > 0))[
         array_position(array(select delivery_id from unused where delay_ms > 0), q.delivery_id)],
       lease_token = null, lease_owner = null, leased_until = null
     where q.delivery_id = any(array(select delivery_id from unused where delay_ms > 0 and not is_cancelled))
   )
   update delivery_queue q set lease_token = null, lease_owner = null, leased_until = null
   where q.delivery_id = any(array(select delivery_id from unused where delay_ms = 0 and not is_cancelled))`,
);

/** Of `pg_advisory_lock(class, owner)`: every process that holds leases holds the lock of its owner number as well. */
export const LEASE_OWNERS = 20_711;

/**
 * Leases whose owner is gone, or whose time is over, are free again: a lock ends with its owner's session, so what a dead
 * process held goes on at once. What was cancelled meanwhile is over. In no order: for one, the whole queue would be gone through.
 */
export const freeLost = systemSql<{ freed: number }>(
  'deliveries_free_lost',
  `with lost as materialized (
     select delivery_id, is_cancelled from delivery_queue
     where lease_token is not null and (
       leased_until < now() or not lease_owner = any(array(
         select objid::bigint::integer from pg_locks
         where locktype = 'advisory' and classid = ${LEASE_OWNERS} and granted
           and database = (select oid from pg_database where datname = current_database())))
     )
     for update skip locked
   ), ended as (
     delete from delivery_queue q where q.delivery_id = any(array(select delivery_id from lost where is_cancelled))
   ), freed as (
     update delivery_queue q set lease_token = null, lease_owner = null, leased_until = null
     where q.delivery_id = any(array(select delivery_id from lost where not is_cancelled))
     returning 1
   )
   select count(*) as freed from freed`,
);
