import { type SystemScope, systemSql, type TenantTransaction, tenantSql } from '@frontdesk/database';

/** Most deliveries that one statement cancels, of those that wait and of those in flight: nobody waits for a long backlog to end. */
const BATCH = 1_000;

const insert = tenantSql<never, { endpointId: number }>(
  'ended_endpoints_insert',
  'insert into ended_endpoints (tenant_id, endpoint_id) values ($tenantId, $endpointId) on conflict do nothing',
);

const remove = tenantSql<never, { endpointId: number }>(
  'ended_endpoints_delete',
  'delete from ended_endpoints where tenant_id = $tenantId and endpoint_id = $endpointId',
);

const hold = tenantSql<{ endpoint_id: number }, { endpointId: number }>(
  'ended_endpoints_hold',
  'select endpoint_id from ended_endpoints where tenant_id = $tenantId and endpoint_id = $endpointId for update',
);

const findAny = systemSql<{ tenant_id: number; endpoint_id: number }>(
  'ended_endpoints_any',
  'select tenant_id, endpoint_id from ended_endpoints order by endpoint_id limit 1',
);

// Waiting deliveries and those in flight each have an index of their own. A row that is just being claimed or recorded is passed over, for
// another time. What is in flight keeps its lease, so that its result still gets into the log; it is cancelled unless it gets through.
const cancelSome = tenantSql<{ cancelled: number; has_more: boolean }, { endpointId: number }>(
  'deliveries_cancel_some',
  `with waiting as materialized (
     select delivery_id from delivery_queue
     where tenant_id = $tenantId and endpoint_id = $endpointId and lease_token is null and not is_cancelled
     limit ${BATCH} for update skip locked
   ), under_way as materialized (
     select delivery_id from delivery_queue
     where tenant_id = $tenantId and endpoint_id = $endpointId and lease_token is not null and not is_cancelled
     limit ${BATCH} for update skip locked
   ), ended as (
     delete from delivery_queue where tenant_id = $tenantId and delivery_id = any(array(select delivery_id from waiting))
   ), marked as (
     update delivery_queue set is_cancelled = true
     where tenant_id = $tenantId and delivery_id = any(array(select delivery_id from under_way))
   ), cancelled as (
     update deliveries set status = 'cancelled', next_attempt_at = null
     where tenant_id = $tenantId and endpoint_id = $endpointId and status = 'pending'
       and id = any(array(select delivery_id from waiting union all select delivery_id from under_way))
   )
   select (select count(*) from waiting) + (select count(*) from under_way) as cancelled, exists (
     select from delivery_queue
     where tenant_id = $tenantId and endpoint_id = $endpointId and lease_token is null and not is_cancelled
       and delivery_id not in (select delivery_id from waiting)
   ) or exists (
     select from delivery_queue
     where tenant_id = $tenantId and endpoint_id = $endpointId and lease_token is not null and not is_cancelled
       and delivery_id not in (select delivery_id from under_way)
   ) as has_more`,
);

/**
 * Cancels the pending deliveries of an endpoint that this transaction ends: the first at once, the rest by the process that runs
 * `cancelForEnded`. Until that is done, the endpoint counts as ended.
 */
export async function endEndpoint(tx: TenantTransaction, endpointId: number): Promise<void> {
  const { has_more } = await tx.one(cancelSome, { endpointId });
  if (has_more) await tx.run(insert, { endpointId });
}

/** The endpoint goes on: what hasn't been cancelled by now goes out. */
export const reviveEndpoint = (tx: TenantTransaction, endpointId: number) => tx.run(remove, { endpointId });

/** An endpoint some of whose deliveries may be left to cancel. */
export const findEndedEndpoint = (system: SystemScope) => system.maybeOne(findAny);

/** Goes on with what `endEndpoint` has begun. @returns whether anything may be left */
export async function cancelForEnded(tx: TenantTransaction, endpointId: number): Promise<boolean> {
  // Revived meanwhile, it is none of our business any more.
  if ((await tx.maybeOne(hold, { endpointId })) === null) return true;
  const { cancelled, has_more } = await tx.one(cancelSome, { endpointId });
  if (!has_more) await tx.run(remove, { endpointId });
  return cancelled > 0 || !has_more;
}

/** Most deleted endpoints that one run looks at: each has to be looked for in the log of every day that is kept. */
const LOOKED_AT = 500;

// By then nothing is under way for it, and who had it in a gap of events has been shown that.
const purgeSome = systemSql<{ last_id: number | null }, { afterId: number }>(
  'endpoints_purge',
  `with looked_at as materialized (
     select tenant_id, id from endpoints
     where deleted_at < now() - interval '1 day' and id > $afterId order by id limit ${LOOKED_AT}
   ), purged as (
     delete from endpoints e using looked_at l
     where e.tenant_id = l.tenant_id and e.id = l.id
       and not exists (select from deliveries d where d.tenant_id = l.tenant_id and d.endpoint_id = l.id)
       and not exists (select from ended_endpoints n where n.tenant_id = l.tenant_id and n.endpoint_id = l.id)
     returning e.tenant_id, e.id
   ), forgotten as (
     delete from replays r using purged p where r.tenant_id = p.tenant_id and r.endpoint_id = p.id
   )
   select max(id) as last_id from looked_at`,
);

/**
 * Removes deleted endpoints of which no delivery is left in the log, of some behind this id.
 * @returns where the next ones begin: 0 once all were looked at
 */
export const purgeDeletedEndpoints = async (system: SystemScope, afterId: number): Promise<number> =>
  (await system.one(purgeSome, { afterId })).last_id ?? 0;
