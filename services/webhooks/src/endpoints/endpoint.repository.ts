import { type EndpointScope, MAX_COUNTED_RECENT, type WebhookEventName } from '@frontdesk/contracts';
import {
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { IsNull } from 'typeorm';
import type { SealedHeaders, SealedSecret } from '../secrets/sealed-secret.rules.ts';
import { endEndpoint, reviveEndpoint } from './ended-endpoints.repository.ts';
import { endpointEntity } from './endpoint.entity.ts';
import type { EndpointAdminRow, EndpointRow, EndpointShownRow } from './endpoint.rules.ts';
import { OVER_AFTER_SECONDS } from './missed-events.rules.ts';
import { allowedEvents, type SubscribedEndpoint } from './subscription.rules.ts';

const COLUMNS = `id, url, events, scopes, header_names, is_active, is_suspended, disabled_reason, paused_at, version, created_at,
  updated_at, last_success_at, last_failure_at, last_failure, failing_since, consecutive_failures, dropped_deliveries,
  case when secret like 'v1.%' then secret_last_four else right(secret, 4) end as secret_last_four,
  case when previous_secret_until > now() then previous_secret_until end as previous_secret_until`;

const ADMIN = `
  select ${COLUMNS}, recent.delivered, recent.failed, waiting.count as waiting,
    case when waiting.due_at is not null then greatest(waiting.due_at, e.retry_at) end as next_attempt_at
  from endpoints e cross join lateral (
    select count(*) filter (where finished.status = 'delivered') as delivered,
      count(*) filter (where finished.status = 'failed') as failed from (
      select d.status from deliveries d
      where d.tenant_id = e.tenant_id and d.endpoint_id = e.id and d.status in ('delivered', 'failed')
        and d.id >= day_id(0, now() - interval '1 day')
        and d.created_at > now() - interval '1 day'
      order by d.id desc limit ${MAX_COUNTED_RECENT}
    ) finished
  ) recent cross join lateral (
    select count(*) as count, (
      select q.due_at from delivery_queue q
      where q.tenant_id = e.tenant_id and q.endpoint_id = e.id and q.lease_token is null and q.due_at < 'infinity'
      order by q.due_at limit 1
    ) as due_at
    from (
      (select from delivery_queue q
       where q.tenant_id = e.tenant_id and q.endpoint_id = e.id and q.lease_token is null limit ${MAX_COUNTED_RECENT})
      union all
      (select from delivery_queue q
       where q.tenant_id = e.tenant_id and q.endpoint_id = e.id and q.lease_token is not null limit ${MAX_COUNTED_RECENT})
      limit ${MAX_COUNTED_RECENT}
    ) queued
  ) waiting
  where e.tenant_id = $tenantId and e.deleted_at is null`;

const list = tenantSql<EndpointAdminRow>('endpoints_list', `${ADMIN} order by e.id desc`);
const SHOWN = `select ${COLUMNS} from endpoints where tenant_id = $tenantId and deleted_at is null`;
const listShown = tenantSql<EndpointShownRow>('endpoints_list_shown', `${SHOWN} order by id desc`);
const findShown = tenantSql<EndpointShownRow, { id: number }>(
  'endpoints_find_shown',
  `${SHOWN} and id = $id`,
);
const find = tenantSql<EndpointAdminRow, { id: number }>('endpoints_find', `${ADMIN} and e.id = $id`);

// Known beforehand: the secret is sealed for this id.
const nextId = tenantSql<{ id: number }>(
  'endpoints_next_id',
  `select nextval(pg_get_serial_sequence('endpoints', 'id')) as id`,
);

// In SQL, for the id is known beforehand, and an endpoint of a suspended tenant is held from its first moment.
const insert = tenantSql<EndpointShownRow, NewEndpoint>(
  'endpoints_insert',
  `insert into endpoints (tenant_id, id, url, events, scopes, headers, header_names, secret, secret_last_four, is_suspended)
   overriding system value
   values ($tenantId, $id, $url, $events, $scopes, $headers, $header_names, $secret, $secret_last_four,
     exists (select from tenants where tenant_id = $tenantId and status = 'suspended'))
   returning ${COLUMNS}`,
);

/** Of an endpoint that is just paused or disabled: not before it came to be, nor within the pause before. */
const MISSED_FROM = `greatest(now() - interval '${OVER_AFTER_SECONDS} seconds', created_at, missed_to)`;

// In SQL, for the clock of the database decides what was missed.
const update = tenantSql<never, EndpointChange>(
  'endpoints_update',
  `update endpoints set url = $url, events = $events, headers = $headers, header_names = $header_names, is_active = $is_active,
     version = version + 1, updated_at = now(),
     paused_at = case when not $is_active then coalesce(paused_at, now()) end,
     missed_from = case when is_active and not $is_active then ${MISSED_FROM} else missed_from end,
     missed_to = case when $is_active and not is_active then now() when is_active and not $is_active then null else missed_to end,
     disabled_reason = case when not $is_active then disabled_reason end,
     consecutive_failures = case when $isAnew then 0 else consecutive_failures end,
     retry_at = case when not $isAnew then retry_at end,
     failing_since = case when not $isAnew then failing_since end
   where tenant_id = $tenantId and id = $id`,
);

// In SQL, for the clock of the database decides until when both sign.
const rotate = tenantSql<
  EndpointShownRow,
  SealedSecret & { id: number; force: boolean; bothSignHours: number }
>(
  'endpoints_rotate',
  `update endpoints set secret = $secret, secret_last_four = $secret_last_four, previous_secret = secret,
     previous_secret_until = statement_timestamp() + make_interval(hours => $bothSignHours), version = version + 1,
     updated_at = statement_timestamp()
   where tenant_id = $tenantId and id = $id and ($force or coalesce(previous_secret_until <= statement_timestamp(), true))
   returning ${COLUMNS}`,
);

const disable = tenantSql<EndpointShownRow, { id: number; reason: string; version: number }>(
  'endpoints_disable',
  `update endpoints
   set is_active = false, paused_at = now(), missed_from = ${MISSED_FROM}, missed_to = null, disabled_reason = $reason,
     version = version + 1, updated_at = now()
   where tenant_id = $tenantId and id = $id and version = $version and disabled_reason is null and deleted_at is null
   returning ${COLUMNS}`,
);

/**
 * Channel of NOTIFY: the id of an endpoint that was changed or ended, sent with the commit. A process then
 * returns what it is just claiming for it, with the old URL and secret.
 */
export const ENDPOINT_CHANGES = 'endpoint_changes';

const announce = tenantSql<never, { id: number }>(
  'endpoints_announce',
  `select pg_notify('${ENDPOINT_CHANGES}', id::text) from endpoints where tenant_id = $tenantId and id = $id`,
);

export interface NewEndpoint extends SealedSecret, SealedHeaders {
  id: number;
  url: string;
  events: WebhookEventName[];
  scopes: EndpointScope[];
}

export interface EndpointChange extends SealedHeaders {
  id: number;
  url: string;
  events: string[];
  is_active: boolean;
  /** Whether what it failed at before says nothing any more. */
  isAnew: boolean;
}

/** Newest first; deleted ones are not among them. */
export const listEndpointsWithHealth = (db: TenantReads) => db.many(list);
export const findEndpointShown = (db: TenantReads, id: number) => db.maybeOne(findShown, { id });
export const listEndpoints = (db: TenantReads) => db.many(listShown);
export const findEndpointWithHealth = (db: TenantReads, id: number) => db.maybeOne(find, { id });
/** Null where it is deleted. */
export const findEndpoint = (db: TenantReads, id: number) => db.repository(endpointEntity).findOne({ id });
export const nextEndpointId = async (db: TenantReads) => (await db.one(nextId)).id;
export const insertEndpoint = (tx: TenantTransaction, endpoint: NewEndpoint) => tx.one(insert, endpoint);

export async function updateEndpoint(tx: TenantTransaction, change: EndpointChange): Promise<void> {
  await tx.run(update, change);
  await announceEndpoint(tx, change.id);
  if (change.is_active) await reviveEndpoint(tx, change.id);
}

/** Replaces the secret; the previous one goes on to sign. Null, and nothing changes, while an older one still signs, unless `force`. */
export async function updateSecret(
  tx: TenantTransaction,
  secret: SealedSecret & Pick<EndpointRow, 'id'>,
  options: { force: boolean; bothSignHours: number },
) {
  const rotated = await tx.maybeOne(rotate, { ...secret, ...options });
  if (rotated !== null) await announceEndpoint(tx, secret.id);
  return rotated;
}

export const announceEndpoint = (tx: TenantTransaction, id: number) => tx.run(announce, { id });

/** Ends the endpoint and cancels its pending deliveries; its log stays. False where there is no such endpoint. */
export async function deleteEndpoint(tx: TenantTransaction, id: number): Promise<boolean> {
  // Nothing is signed with its secrets any more.
  const secrets = { secret: '', previous_secret: null, previous_secret_until: null, headers: null };
  const deleted = await tx
    .repository(endpointEntity)
    .update({ id, deleted_at: IsNull() }, { is_active: false, deleted_at: new Date(), ...secrets });
  if (deleted.length === 0) return false;
  await announceEndpoint(tx, id);
  await endEndpoint(tx, id);
  return true;
}

/**
 * Ends the endpoint for what it answered, and cancels its pending deliveries. Null where it has been changed since it was at `version`, or
 * is over already.
 */
export async function disableEndpoint(
  tx: TenantTransaction,
  { id, version, reason }: { id: number; version: number; reason: string },
): Promise<EndpointShownRow | null> {
  const row = await tx.maybeOne(disable, { id, reason, version });
  if (row === null) return null;
  await announceEndpoint(tx, id);
  await endEndpoint(tx, id);
  return row;
}

const retryNow = tenantSql<never, { id: number }>(
  'endpoints_retry_now',
  'update endpoints set retry_at = now() where tenant_id = $tenantId and id = $id and retry_at > now()',
);

/** An endpoint that is left alone after many failures is tried at once, with a single delivery. */
export const retryEndpointNow = (tx: TenantTransaction, id: number) => tx.run(retryNow, { id });

const listActive = systemSql<SubscribedEndpoint & Pick<EndpointRow, 'scopes'>, { tenantIds: number[] }>(
  'endpoints_active_of_tenants',
  `select tenant_id, id, events, scopes, version
   from endpoints
   where tenant_id = any($tenantIds::bigint[]) and is_active and deleted_at is null
   order by tenant_id, id`,
);

export const listActiveEndpoints = async (
  system: SystemScope,
  tenantIds: number[],
): Promise<SubscribedEndpoint[]> =>
  (await system.many(listActive, { tenantIds })).map(({ tenant_id, id, version, ...subscribed }) => ({
    tenant_id,
    id,
    version,
    events: allowedEvents(subscribed),
  }));
