import { type SystemScope, systemSql, type TenantTransaction, tenantSql } from '@frontdesk/database';
import { announceEndpoint, ENDPOINT_CHANGES } from '../endpoints/endpoint.repository.ts';

/** Most deliveries that one transaction parks. Intake of events for the same endpoint waits meanwhile. */
const BATCH = 1_000;

interface EndpointKey {
  tenant_id: number;
  id: number;
}

// In the order of ids, in which intake locks them too.
const holdSuspended = systemSql<{ held: number }>(
  'endpoints_hold_suspended',
  `with held as (
     update endpoints set is_suspended = true, release_at = null
     where id = any(array(
       select id from endpoints
       where tenant_id = any(array(select tenant_id from tenants where status = 'suspended'))
         and deleted_at is null and not is_suspended
       order by id for update))
     returning id
   )
   select count(pg_notify('${ENDPOINT_CHANGES}', id::text))::integer as held from held`,
);

const findResumed = systemSql<EndpointKey>(
  'endpoints_find_resumed',
  `select e.tenant_id, e.id from endpoints e
   where e.is_suspended and e.deleted_at is null
     and e.tenant_id not in (select tenant_id from tenants where status = 'suspended')
   order by e.id limit 1`,
);

const lockResumed = tenantSql<{ id: number }, { id: number }>(
  'endpoints_lock_resumed',
  `select id from endpoints
   where tenant_id = $tenantId and id = $id and is_suspended and deleted_at is null
     and not exists (select from tenants t where t.tenant_id = $tenantId and t.status = 'suspended')
   for update`,
);

const park = tenantSql<never, { endpointId: number }>(
  'deliveries_park',
  `update delivery_queue set due_at = 'infinity'
   where tenant_id = $tenantId and delivery_id = any(array(
     select delivery_id from delivery_queue
     where tenant_id = $tenantId and endpoint_id = $endpointId and lease_token is null and due_at < 'infinity'
     order by due_at, delivery_id limit ${BATCH} for update))`,
);

// As for an endpoint that is resumed: failures from before the suspension no longer count.
const resume = tenantSql<never, { id: number }>(
  'endpoints_resume',
  `update endpoints set is_suspended = false, release_at = now(), consecutive_failures = 0, retry_at = null,
     failing_since = null
   where tenant_id = $tenantId and id = $id`,
);

/** Holds the endpoints of suspended tenants, and notifies every process. @returns how many endpoints */
export const suspendEndpoints = async (system: SystemScope) => (await system.one(holdSuspended)).held;

/** An endpoint that is still held, although its tenant is no longer suspended. */
export const findResumedEndpoint = (system: SystemScope) => system.maybeOne(findResumed);

/**
 * Parks up to a thousand waiting deliveries of the endpoint, and stops holding it once all are parked. The lock of the endpoint
 * keeps intake from adding deliveries meanwhile. @returns false where the endpoint is not, or no longer, to be resumed
 */
export async function parkAndResume(tx: TenantTransaction, endpointId: number): Promise<boolean> {
  if ((await tx.maybeOne(lockResumed, { id: endpointId })) === null) return false;
  if ((await tx.run(park, { endpointId })) < BATCH) {
    await tx.run(resume, { id: endpointId });
    await announceEndpoint(tx, endpointId);
  }
  return true;
}
