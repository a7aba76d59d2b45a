import { createHash } from 'node:crypto';
import {
  type CreatedApiKey,
  type CreateKey,
  gatewayRoutes,
  generateApiKey,
  MAX_ENDED_KEYS,
  type UpdateKey,
} from '@frontdesk/contracts';
import type { Database, TenantTransaction } from '@frontdesk/database';
import {
  type App,
  AppError,
  changesOf,
  type Identity,
  invalid,
  matching,
  notFound,
  ok,
  type RequireVersion,
  requireQuota,
  requireScopes,
  route,
  versioned,
} from '@frontdesk/service';
import type { FastifyReply } from 'fastify';
import { type Announce, changeAndAnnounce } from '../tenants/change-tenant.ts';
import { findTenant, lockTenant } from '../tenants/tenant.repository.ts';
import { effectiveQuotas } from '../tenants/tenant.rules.ts';
import {
  countKeys,
  deleteKey,
  findExpiringKeys,
  findKey,
  findKeyOfHash,
  findKeyUse,
  findPredecessor,
  insertKey,
  listKeys,
  revokeKey,
  updateKey,
} from './api-key.repository.ts';
import { apiKeyRecord, isLive, isWidened, type ShownKey } from './api-key.rules.ts';

const HOUR_MS = 3_600_000;

/** A tenant's API keys, for operators and the tenant's own admins. */
export function keyRoutes(
  app: App,
  deps: { database: Database; announce: Announce; flush: () => Promise<void> },
): void {
  const { database, flush } = deps;
  const change = changeAndAnnounce(deps);

  route(app, gatewayRoutes.createKey, async ({ tenantId, body, identity }) => {
    requireScopes(identity, body.scopes);
    return ok(await change(tenantId, (scope) => scope.transaction((tx) => createKey(tx, body))));
  });

  route(app, gatewayRoutes.listKeys, async ({ tenantId }) => {
    const scope = database.forTenant(tenantId);
    const [tenant, rows] = await Promise.all([findTenant(scope), listKeys(scope)]);
    if (!tenant) throw notFound('Tenant');
    return ok(rows.map(apiKeyRecord));
  });

  const show = (reply: FastifyReply, row: ShownKey | null) => {
    if (!row) throw notFound('API key');
    return versioned(reply, row.version, apiKeyRecord(row));
  };

  route(app, gatewayRoutes.getKey, async ({ tenantId, params }, reply) =>
    show(reply, await findKey(database.forTenant(tenantId), params.id)),
  );

  route(app, gatewayRoutes.updateKey, async (request, reply) => {
    const { tenantId, params, body, identity: by } = request;
    const requireVersion = matching(request);
    const changed = await change(tenantId, (scope) =>
      scope.transaction((tx) => changeKey(tx, params.id, body, { by, requireVersion })),
    );
    return show(reply, changed);
  });

  route(app, gatewayRoutes.rollKey, async ({ tenantId, params: { id }, body: { hours }, identity }) => {
    const made = await change(tenantId, (scope) =>
      scope.transaction(async (tx) => {
        await lockTenant(tx);
        const key = await findKey(tx, id);
        const now = Date.now();
        if (!key || !isLive(key, now)) throw notFound('API key');
        requireScopes(identity, key.scopes);
        if (key.rolled_to !== null) throw invalid({ id: ['This key was replaced already.'] });
        const predecessor = await findPredecessor(tx, id);
        if (predecessor && isLive(predecessor, now))
          throw invalid({
            id: ['The key that this one replaced still works. Wait until it has expired, or revoke it.'],
          });
        await requireFewEnded(tx);
        const { name, scopes, expires_at, networks, created_at } = key;
        // The new key gets the lifetime of the old one.
        const nextEnd = expires_at && new Date(now + expires_at.getTime() - created_at.getTime());
        const next = await storeKey(tx, { name, scopes, expires_at: nextEnd, networks });
        const endsMs = Math.min(now + hours * HOUR_MS, expires_at?.getTime() ?? Number.POSITIVE_INFINITY);
        if (!(await updateKey(tx, id, { expires_at: new Date(endsMs), rolled_to: next.id })))
          throw notFound('API key');
        return next;
      }),
    );
    return ok(made);
  });

  route(app, gatewayRoutes.getKeyUse, async ({ tenantId, params: { id } }) => {
    await flush();
    const scope = database.forTenant(tenantId);
    const [key, days] = await Promise.all([findKey(scope, id), findKeyUse(scope, id)]);
    if (!key) throw notFound('API key');
    return ok(days);
  });

  const revoke = (tenantId: number, id: number) => change(tenantId, (scope) => revokeKey(scope, id));
  route(app, gatewayRoutes.revokeKey, async ({ tenantId, params }, reply) =>
    show(reply, await revoke(tenantId, params.id)),
  );
  // The recorded change names the reason, from which settings-ui emails the business.
  route(app, gatewayRoutes.revokeLeakedKey, async ({ tenantId, params }, reply) =>
    show(reply, await revoke(tenantId, params.id)),
  );

  route(app, gatewayRoutes.deleteKey, async ({ tenantId, params }) => {
    if (!(await change(tenantId, (scope) => deleteKey(scope, params.id)))) throw notFound('API key');
    return ok({ id: params.id, deleted: true as const });
  });
}

/** For operators: finds a key by its hash. */
export function findKeyRoute(app: App, { database }: { database: Database }): void {
  route(app, gatewayRoutes.findKey, async ({ body: { key_hash } }) => {
    const found = await findKeyOfHash(database.system, key_hash);
    const row = found && (await findKey(database.forTenant(found.tenant_id), found.id));
    if (!row) throw notFound('API key');
    return ok({ ...apiKeyRecord(row), tenant_id: row.tenant_id });
  });
}

/** For settings-ui, which emails a business before one of its keys expires. */
export function expiringKeysRoute(app: App, { database }: { database: Database }): void {
  route(app, gatewayRoutes.listExpiringKeys, async ({ query: { after } }) => {
    const rows = await findExpiringKeys(database.system, after);
    return ok(
      rows.map(({ expires_at, created_at, ...key }) => ({
        ...key,
        expires_at: expires_at.toISOString(),
        created_at: created_at.toISOString(),
      })),
    );
  });
}

/**
 * Applies a patch. Null where there is no such key, or it is revoked.
 * @throws AppError `precondition_failed`, `insufficient_scope`, `validation_failed`
 */
async function changeKey(
  tx: TenantTransaction,
  id: number,
  patch: UpdateKey,
  { by, requireVersion }: { by: Identity; requireVersion: RequireVersion },
): Promise<ShownKey | null> {
  await lockTenant(tx);
  const key = await findKey(tx, id);
  if (!key?.is_active) return null;
  requireVersion(key.version);
  const { scopes = key.scopes, expires_at = key.expires_at, networks = key.networks } = patch;
  // Narrowing is free. Widening takes every scope of the result.
  if (isWidened(key, { scopes, expires_at, networks })) requireScopes(by, scopes);
  // Its end was promised to whoever rolled it.
  if (key.rolled_to !== null && patch.expires_at !== undefined)
    throw invalid({ expires_at: ['Another key has taken the place of this one already.'] });
  // An expired key that is extended counts again.
  if (!isLive(key, Date.now()) && isLive({ is_active: true, expires_at }, Date.now()))
    await requireKeyQuota(tx);
  const changes = changesOf<ShownKey>(key, patch);
  return changes ? updateKey(tx, id, changes) : key;
}

/** @throws AppError `not_found`, `quota_exceeded` */
async function createKey(tx: TenantTransaction, key: CreateKey): Promise<CreatedApiKey> {
  await requireKeyQuota(tx);
  await requireFewEnded(tx);
  return storeKey(tx, key);
}

/** Its plaintext is in this answer and nowhere else. */
async function storeKey(tx: TenantTransaction, fields: CreateKey): Promise<CreatedApiKey> {
  const key = generateApiKey();
  const row = await insertKey(tx, {
    ...fields,
    key_hash: createHash('sha256').update(key).digest(),
    last_four: key.slice(-4),
  });
  return { ...apiKeyRecord(row), key };
}

/** @throws AppError `quota_exceeded` */
async function requireKeyQuota(tx: TenantTransaction): Promise<void> {
  const tenant = await lockTenant(tx);
  if (!tenant) throw notFound('Tenant');
  const { active } = await countKeys(tx);
  requireQuota('api_keys', { used: active, allowed: effectiveQuotas(tenant).api_keys });
}

/** The others have a bound of their own, because they stay in the list. */
async function requireFewEnded(tx: TenantTransaction): Promise<void> {
  const { ended } = await countKeys(tx);
  if (ended >= MAX_ENDED_KEYS)
    throw new AppError(
      'quota_exceeded',
      `There are ${ended} revoked, expired or replaced API keys: delete some of them first.`,
    );
}
