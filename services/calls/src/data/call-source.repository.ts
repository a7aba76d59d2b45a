import type { Plan, StatedQuotas } from '@frontdesk/contracts';
import {
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { IsNull } from 'typeorm';
import type { CallSourceRow } from '../domain/call-source.ts';
import { callSourceEntity } from './call-source.entity.ts';

/** Newest first; deleted ones are not among them. */
export const listSources = (db: TenantReads) =>
  db.repository(callSourceEntity).find({ order: { id: 'DESC' } });

export const findSource = (db: TenantReads, id: number) => db.repository(callSourceEntity).findOne({ id });

const lock = tenantSql<never, [id: number]>(
  'sources_lock',
  'select from call_sources where tenant_id = $1 and id = $2 for update',
);

/** Until the transaction ends, other changes of this source wait. */
export async function lockSource(tx: TenantTransaction, id: number): Promise<CallSourceRow | null> {
  await tx.run(lock, id);
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
  'select count(*) from call_sources where tenant_id = $1 and deleted_at is null',
);

export const countSources = async (db: TenantReads) => (await db.one(count)).count;

// The row exists: a source is added after its tenant was looked up, which stores it. Its lock makes additions wait for each other.
const lockOfTenant = tenantSql<never>(
  'sources_lock_tenant',
  'select from tenants where tenant_id = $1 for no key update',
);

/** The same count, under a lock: until the transaction ends, nobody adds a source. */
export const countSourcesLocked = async (tx: TenantTransaction) => {
  await tx.run(lockOfTenant);
  return countSources(tx);
};

const touch = tenantSql<never, [id: number]>(
  'sources_touch',
  `update call_sources set last_message_at = now()
   where tenant_id = $1 and id = $2 and (last_message_at is null or last_message_at < now() - interval '1 minute')`,
);

/** Notes that a message came in; once a minute is enough to be seen. No change of the source: its version stays. */
export const noteSourceMessage = (db: TenantReads, id: number) => db.run(touch, id);

const noteTest = tenantSql<never, [id: number]>(
  'sources_note_test',
  'update call_sources set last_test_at = now() where tenant_id = $1 and id = $2',
);

/** Notes that a test call was kept; the version stays here too. */
export const noteSourceTest = (db: TenantReads, id: number) => db.run(noteTest, id);

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
const findByToken = systemSql<IngestSource, [token: string]>(
  'sources_find_by_token',
  `select s.tenant_id, s.id, s.token, s.provider, s.sealed_secret, s.settings,
     coalesce(t.status = 'suspended', false) as is_tenant_suspended,
     coalesce(t.plan, 'enterprise') as plan, t.quotas,
     coalesce(s.last_message_at < now() - interval '1 minute', true) as is_touch_due
   from call_sources s left join tenants t on t.tenant_id = s.tenant_id
   where s.token = $1 and s.is_active and s.deleted_at is null`,
);

/** Null for an address that leads nowhere: unknown, disabled or deleted. */
export const findIngestSource = (system: SystemScope, token: string) => system.maybeOne(findByToken, token);

const findTokens = systemSql<{ token: string }, [tokens: string[]]>(
  'sources_find_tokens',
  'select token from call_sources where token = any($1::text[]) and is_active and deleted_at is null',
);

/** Those of the tokens that lead to a source. */
export const findIngestTokens = async (system: SystemScope, tokens: string[]) =>
  (await system.many(findTokens, tokens)).map(({ token }) => token);
