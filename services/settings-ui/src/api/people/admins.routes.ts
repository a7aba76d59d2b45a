import {
  adminUserSchema,
  createAdminBody,
  dataOf,
  pathId,
  removedRecord,
  resetLinkBody,
  resetLinkSchema,
} from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok, quotaUsageRoute, quotaUsesRoute } from '@frontdesk/service';
import type { GatewayClient } from '../../clients/gateway.client.ts';
import { listAdmins } from '../../data/admin.repository.ts';
import { countAdmins, findTenantsByAdmins } from '../../data/admin-count.repository.ts';
import { adminRecord } from '../../domain/sign-in/admin.ts';
import type { PasswordHasher } from '../../state/password-hasher.ts';
import { createAdmin, removeAsOperator, setPassword } from '../../use-cases/admins.ts';
import { makeResetLink } from '../../use-cases/reset-password.ts';

const LIST = '/internal/tenants/:tenant_id/admins';

export interface AdminRoutesDeps {
  database: Database;
  gateway: Pick<GatewayClient, 'tenant'>;
  passwords: PasswordHasher;
  settingsUrl: string;
}

/** Who signs in to a tenant's settings, for operators. */
export function adminRoutes(app: App, deps: AdminRoutesDeps): void {
  const { database, settingsUrl } = deps;
  const single = dataOf(adminUserSchema);

  app.post(
    LIST,
    { schema: { body: createAdminBody, response: { 201: single } } },
    async ({ tenantId, body }, reply) =>
      reply.code(201).send(ok(await createAdmin(database.forTenant(tenantId), deps, body))),
  );

  app.get(LIST, { schema: { response: { 200: dataOf(adminUserSchema.array()) } } }, async ({ tenantId }) =>
    ok((await listAdmins(database.forTenant(tenantId))).map(adminRecord)),
  );

  quotaUsageRoute(app, async (tenantId) => ({ admins: await countAdmins(database.forTenant(tenantId)) }));
  quotaUsesRoute(app, () => findTenantsByAdmins(database.system));

  app.delete(
    `${LIST}/:id`,
    {
      config: { resource: 'Admin' },
      schema: { params: pathId.loose(), response: { 200: dataOf(removedRecord) } },
    },
    async ({ tenantId, params }) => ok(await removeAsOperator(database.forTenant(tenantId), params.id)),
  );

  app.put(
    `${LIST}/password`,
    { schema: { body: createAdminBody, response: { 200: single } } },
    async ({ tenantId, body }) => ok(await setPassword(database.forTenant(tenantId), deps, body)),
  );

  app.post(
    `${LIST}/reset-link`,
    { schema: { body: resetLinkBody, response: { 201: dataOf(resetLinkSchema) } } },
    async ({ tenantId, body }, reply) =>
      reply.code(201).send(ok(await makeResetLink(database.forTenant(tenantId), { ...body, settingsUrl }))),
  );
}
