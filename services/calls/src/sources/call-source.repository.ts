import type { Plan, StatedQuotas } from '@frontdesk/contracts';
import {
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { IsNull } from 'typeorm';
import { callSourceEntity } from './call-source.entity.ts';
import type { CallSourceRow } from './call-source.rules.ts';

/** Newest first; deleted ones are not among them. */
export const listSources = (db: TenantReads) =>
  db.repository(callSourceEntity).find({ order: { id: 'DESC' } });

export const findSource = (db: TenantReads, id: number) => db.repository(callSourceEntity).findOne({ id });

const lock = tenantSql<never, { id: number }>(
  'sources_lock',
  'select from call_sources where tenant_id = $tenantId and id = $id for update',
);

/** Until the transaction ends, other changes of this source wait. */
export async function lockSource(tx: TenantTransaction, id: number): Promise<CallSourceRow | null> {
  await tx.run(lock, { id });
  return findSource(tx, id);
}

export const insertSource = (
  tx: TenantTransaction,
  source: Pick<
    CallSourceRow,
    'token' | 'provider' | 'name' | 'sealed_secret' | 'secret_last_four' | 'settings'
  >,
) => tx.repository(callSourceEntity).insert(source);

/** Lock the row first. */
export const updateSource = (tx: TenantTransaction, id: number, change: Partial<CallSourceRow>) =>
  tx.repository(callSourceEntity).updateOne({ id }, change);

/** Nothing is verified by its secret any more. False where there is no such source. */
export async function deleteSource(db: TenantReads, id: number): Promise<boolean> {
  const gone = { deleted_at: new Date(), is_active: false, sealed_secret: '' };
  const deleted = await db.repository(callSourceEntity).update({ id, deleted_at: IsNull() }, gone);
  return deleted.length === 1;
}

const count = tenantSql<{ count: number }>(
  'sources_count',
  'select count(*) from call_sources where tenant_id = $tenantId and deleted_at is null',
);

export const countSources = async (db: TenantReads) => (await db.one(count)).count;

// The row exists: a source is added after its tenant was looked up, which stores it. Its lock makes additions wait for each other.
const lockOfTenant = tenantSql<never>(
  'sources_lock_tenant',
  'select from tenants where tenant_id = $tenantId for no key update',
);

/** The same count, under a lock: until the transaction ends, nobody adds a source. */
export const countSourcesLocked = async (tx: TenantTransaction) => {
  await tx.run(lockOfTenant);
  return countSources(tx);
};

/** Once a minute is enough to be seen; at once where a message was refused since: it shows that the fault is mended. */
const isTouchDue = (source: string) => `(
     ${source}.last_message_at is null or ${source}.last_message_at < now() - interval '1 minute'
     or exists (select from call_refusals r
       where r.tenant_id = ${source}.tenant_id and r.source_id = ${source}.id and r.last_at >= ${source}.last_message_at)
   )`;

const touch = tenantSql<never, { id: number; isAfterRefusal: boolean }>(
  'sources_touch',
  `update call_sources set last_message_at = now()
   where tenant_id = $tenantId and id = $id and ($isAfterRefusal or ${isTouchDue('call_sources')})`,
);

/** Notes that a message came in. No change of the source: its version stays. */
export const noteSourceMessage = (db: TenantReads, id: number, isAfterRefusal: boolean) =>
  db.run(touch, { id, isAfterRefusal });

const noteTest = tenantSql<never, { id: number }>(
  'sources_note_test',
  'update call_sources set last_test_at = now() where tenant_id = $tenantId and id = $id',
);

/** Notes that a test call was kept; the version stays here too. */
export const noteSourceTest = (db: TenantReads, id: number) => db.run(noteTest, { id });

/** A source as its ingest address leads to it. */
export type IngestSource = Pick<
  CallSourceRow,
  'tenant_id' | 'id' | 'token' | 'provider' | 'sealed_secret' | 'settings'
> & {
  is_tenant_suspended: boolean;
  is_touch_due: boolean;
  plan: Plan;
  quotas: StatedQuotas | null;
};

// The address is all that a provider shows, and decides the tenant. A tenant that the projection doesn't have yet gets the largest
// plan's quotas.
const findByToken = systemSql<IngestSource, { token: string }>(
  'sources_find_by_token',
  `select s.tenant_id, s.id, s.token, s.provider, s.sealed_secret, s.settings,
     coalesce(t.status = 'suspended', false) as is_tenant_suspended,
     coalesce(t.plan, 'enterprise') as plan, t.quotas,
     ${isTouchDue('s')} as is_touch_due
   from call_sources s left join tenants t on t.tenant_id = s.tenant_id
   where s.token = $token and s.is_active and s.deleted_at is null`,
);

/** Null for an address that leads nowhere: unknown, disabled or deleted. */
export const findIngestSource = (system: SystemScope, token: string) =>
  system.maybeOne(findByToken, { token });

const findTokens = systemSql<Pick<IngestSource, 'tenant_id' | 'id' | 'token'>, { tokens: string[] }>(
  'sources_find_tokens',
  'select tenant_id, id, token from call_sources where token = any($tokens::text[]) and is_active and deleted_at is null',
);

/** The sources that these tokens lead to. */
export const findSourcesOfTokens = (system: SystemScope, tokens: string[]) =>
  system.many(findTokens, { tokens });
