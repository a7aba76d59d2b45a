import { gatewayRoutes } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, matching, notFound, ok, requireScopes, route, versioned } from '@frontdesk/service';
import type { FastifyReply } from 'fastify';
import { type Announce, changeAndAnnounce } from '../tenants/change-tenant.ts';
import { findTenant } from '../tenants/tenant.repository.ts';
import {
  deleteKey,
  findExpiringKeys,
  findKey,
  findKeyOfHash,
  findKeyUse,
  listKeys,
  revokeKey,
} from './api-key.repository.ts';
import { apiKeyRecord, type ShownKey } from './api-key.rules.ts';
import { changeKey, createKey, rollKey } from './change-keys.ts';

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

  route(app, gatewayRoutes.rollKey, async ({ tenantId, params: { id }, body: { hours }, identity: by }) =>
    ok(await change(tenantId, (scope) => scope.transaction((tx) => rollKey(tx, id, { hours, by })))),
  );

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
