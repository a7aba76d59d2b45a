import { systemSql } from '@frontdesk/database';

/** Due again at once, without an attempt having been made; or over, where it was cancelled meanwhile. */
export const releaseLeases = systemSql<never, [deliveryIds: number[], tokens: string[]]>(
  'deliveries_release',
  `with unused as (
     select q.delivery_id, q.is_cancelled
     from unnest($1::bigint[], $2::uuid[]) as r (delivery_id, lease_token)
     join delivery_queue q on q.delivery_id = r.delivery_id and q.lease_token = r.lease_token
     order by q.delivery_id for update of q
   ), ended as (
     delete from delivery_queue q using unused u where q.delivery_id = u.delivery_id and u.is_cancelled
   )
   update delivery_queue q set lease_token = null, lease_owner = null, leased_until = null
   from unused u where q.delivery_id = u.delivery_id and not u.is_cancelled`,
);

/** Of `pg_advisory_lock(class, owner)`: every process that holds leases holds the lock of its owner number as well. */
export const LEASE_OWNERS = 20_711;

/**
 * Leases whose owner is gone, or whose time is over, are free again: a lock ends with its owner's session, so what a dead
 * process held goes on at once. What was cancelled meanwhile is over.
 */
export const freeLostLeases = systemSql<{ freed: number }>(
  'deliveries_free_lost',
  `with lost as (
     select delivery_id, is_cancelled from delivery_queue
     where lease_token is not null and (
       leased_until < now() or not lease_owner = any(array(
         select objid::bigint::integer from pg_locks
         where locktype = 'advisory' and classid = ${LEASE_OWNERS} and granted
           and database = (select oid from pg_database where datname = current_database())))
     )
     order by delivery_id
     for update skip locked
   ), ended as (
     delete from delivery_queue q using lost where q.delivery_id = lost.delivery_id and lost.is_cancelled
   ), freed as (
     update delivery_queue q set lease_token = null, lease_owner = null, leased_until = null
     from lost where q.delivery_id = lost.delivery_id and not lost.is_cancelled
     returning 1
   )
   select count(*) as freed from freed`,
);
