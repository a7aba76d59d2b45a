import { createHash } from 'node:crypto';
import { type CreatedApiKey, gatewayRoutes, generateApiKey, MAX_REVOKED_KEYS } from '@frontdesk/contracts';
import type { Database, TenantTransaction } from '@frontdesk/database';
import { type App, AppError, notFound, ok, requireQuota, route } from '@frontdesk/service';
import { type Announce, changeAndAnnounce } from '../tenants/change-tenant.ts';
import { findTenant, lockTenant } from '../tenants/tenant.repository.ts';
import { effectiveQuotas } from '../tenants/tenant.rules.ts';
import { countKeys, deleteKey, insertKey, listKeys, revokeKey } from './api-key.repository.ts';
import { apiKeyRecord } from './api-key.rules.ts';

/** A tenant's API keys, for operators and the tenant's own admins. */
export function keyRoutes(app: App, deps: { database: Database; announce: Announce }): void {
  const { database } = deps;
  const change = changeAndAnnounce(deps);

  route(app, gatewayRoutes.createKey, async ({ tenantId, body: { name } }) => {
    return ok(await change(tenantId, (scope) => scope.transaction((tx) => createKey(tx, name))));
  });

  route(app, gatewayRoutes.listKeys, async ({ tenantId }) => {
    const scope = database.forTenant(tenantId);
    const [tenant, rows] = await Promise.all([findTenant(scope), listKeys(scope)]);
    if (!tenant) throw notFound('Tenant');
    return ok(rows.map(apiKeyRecord));
  });

  route(app, gatewayRoutes.revokeKey, async ({ tenantId, params }) => {
    const row = await change(tenantId, (scope) => revokeKey(scope, params.id));
    if (!row) throw notFound('API key');
    return ok(apiKeyRecord(row));
  });

  route(app, gatewayRoutes.deleteKey, async ({ tenantId, params }) => {
    if (!(await change(tenantId, (scope) => deleteKey(scope, params.id)))) throw notFound('API key');
    return ok({ id: params.id, deleted: true as const });
  });
}

/**
 * Makes a key. Its plaintext is in this answer and nowhere else.
 * @throws AppError `not_found`, `quota_exceeded`
 */
async function createKey(tx: TenantTransaction, name: string): Promise<CreatedApiKey> {
  await requireKeyQuota(tx);
  const key = generateApiKey();
  const row = await insertKey(tx, {
    name,
    key_hash: createHash('sha256').update(key).digest(),
    last_four: key.slice(-4),
  });
  return { ...apiKeyRecord(row), key };
}

/** Revoked keys don't count against the plan's quota. They have a bound of their own, because they stay in the list. */
async function requireKeyQuota(tx: TenantTransaction): Promise<void> {
  const tenant = await lockTenant(tx);
  if (!tenant) throw notFound('Tenant');
  const { active, revoked } = await countKeys(tx);
  requireQuota('api_keys', { used: active, allowed: effectiveQuotas(tenant).api_keys });
  if (revoked >= MAX_REVOKED_KEYS)
    throw new AppError('quota_exceeded', `There are ${revoked} revoked API keys: delete some of them first.`);
}
