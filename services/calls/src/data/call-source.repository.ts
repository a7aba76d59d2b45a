import type { CallProviderName, CallSourceSettings, Plan, StatedQuotas } from '@frontdesk/contracts';
import {
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';

export interface CallSourceRow {
  id: number;
  token: string;
  provider: CallProviderName;
  name: string;
  sealed_secret: string;
  secret_last_four: string;
  settings: CallSourceSettings;
  is_active: boolean;
  last_message_at: Date | null;
  last_test_at: Date | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = `id, token, provider, name, sealed_secret, secret_last_four, settings, is_active, last_message_at,
  last_test_at, version, created_at, updated_at`;

const list = tenantSql<CallSourceRow>(
  'sources_list',
  `select ${COLUMNS} from call_sources where tenant_id = $1 and deleted_at is null order by id desc`,
);

// The row exists: a source is added after its tenant was looked up, which stores it. Its lock makes additions wait for each other.
const lockOfTenant = tenantSql<never>(
  'sources_lock_tenant',
  'select from tenants where tenant_id = $1 for no key update',
);
const count = tenantSql<{ count: number }>(
  'sources_count',
  'select count(*) from call_sources where tenant_id = $1 and deleted_at is null',
);

const FIND = `select ${COLUMNS} from call_sources where tenant_id = $1 and id = $2 and deleted_at is null`;
const find = tenantSql<CallSourceRow, [id: number]>('sources_find', FIND);
const lock = tenantSql<CallSourceRow, [id: number]>('sources_lock', `${FIND} for update`);

const insert = tenantSql<
  CallSourceRow,
  { token: string; provider: string; name: string; sealedSecret: string; lastFour: string; settings: string }
>(
  'sources_insert',
  `insert into call_sources (tenant_id, token, provider, name, sealed_secret, secret_last_four, settings)
   values ($1, $token, $provider, $name, $sealedSecret, $lastFour, $settings) returning ${COLUMNS}`,
);

const update = tenantSql<
  CallSourceRow,
  { id: number; name: string; isActive: boolean; settings: string; sealedSecret: string; lastFour: string }
>(
  'sources_update',
  `update call_sources set name = $name, is_active = $isActive, settings = $settings,
     sealed_secret = $sealedSecret, secret_last_four = $lastFour, version = version + 1, updated_at = clock_timestamp()
   where tenant_id = $1 and id = $id returning ${COLUMNS}`,
);

// Nothing is verified by its secret any more.
const remove = tenantSql<{ id: number }, [id: number]>(
  'sources_delete',
  `update call_sources set deleted_at = now(), is_active = false, sealed_secret = ''
   where tenant_id = $1 and id = $2 and deleted_at is null returning id`,
);

const touch = tenantSql<never, [id: number]>(
  'sources_touch',
  `update call_sources set last_message_at = now()
   where tenant_id = $1 and id = $2 and (last_message_at is null or last_message_at < now() - interval '1 minute')`,
);

const noteTest = tenantSql<never, [id: number]>(
  'sources_note_test',
  'update call_sources set last_test_at = now() where tenant_id = $1 and id = $2',
);

/** A source as its ingest address leads to it. */
export type IngestSource = Pick<CallSourceRow, 'id' | 'provider' | 'sealed_secret' | 'settings'> & {
  tenant_id: number;
  token: string;
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

const findTokens = systemSql<{ token: string }, [tokens: string[]]>(
  'sources_find_tokens',
  'select token from call_sources where token = any($1::text[]) and is_active and deleted_at is null',
);

export type NewCallSource = Pick<
  CallSourceRow,
  'token' | 'provider' | 'name' | 'sealed_secret' | 'secret_last_four' | 'settings'
>;
export type CallSourceChange = Pick<
  CallSourceRow,
  'name' | 'is_active' | 'settings' | 'sealed_secret' | 'secret_last_four'
>;

/** Newest first; deleted ones are not among them. */
export const listSources = (db: TenantReads) => db.many(list);
export const findSource = (db: TenantReads, id: number) => db.maybeOne(find, id);
export const lockSource = (tx: TenantTransaction, id: number) => tx.maybeOne(lock, id);

export const countSources = async (db: TenantReads) => (await db.one(count)).count;

/** The same count, under a lock: until the transaction ends, nobody adds a source. */
export const countSourcesLocked = async (tx: TenantTransaction) => {
  await tx.run(lockOfTenant);
  return countSources(tx);
};

export const insertSource = (tx: TenantTransaction, source: NewCallSource) => {
  const { token, provider, name, sealed_secret, secret_last_four, settings } = source;
  const secret = { sealedSecret: sealed_secret, lastFour: secret_last_four };
  return tx.one(insert, { token, provider, name, ...secret, settings: JSON.stringify(settings) });
};

export const updateSource = (tx: TenantTransaction, id: number, change: CallSourceChange) => {
  const { name, is_active, settings, sealed_secret, secret_last_four } = change;
  const secret = { sealedSecret: sealed_secret, lastFour: secret_last_four };
  return tx.one(update, { id, name, isActive: is_active, settings: JSON.stringify(settings), ...secret });
};

/** False where there is no such source. */
export const deleteSource = async (tx: TenantTransaction, id: number) =>
  (await tx.maybeOne(remove, id)) !== null;

/** Notes that a message came in; once a minute is enough to be seen. */
export const touchSource = (db: TenantReads, id: number) => db.run(touch, id);

/** Notes that a test call was kept. */
export const noteSourceTest = (db: TenantReads, id: number) => db.run(noteTest, id);

/** Null for an address that leads nowhere: unknown, disabled or deleted. */
export const findIngestSource = (system: SystemScope, token: string) => system.maybeOne(findByToken, token);

/** Those of the tokens that lead to a source. */
export const findIngestTokens = async (system: SystemScope, tokens: string[]) =>
  (await system.many(findTokens, tokens)).map(({ token }) => token);
