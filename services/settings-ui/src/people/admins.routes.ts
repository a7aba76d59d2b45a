import { settingsRoutes } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok, quotaUsageRoute, quotaUsesRoute, route } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import { adminRecord } from '../accounts/account.rules.ts';
import { countAdmins, findTenantsByAdmins } from '../accounts/member-count.repository.ts';
import { listMembers } from '../accounts/membership.repository.ts';
import { operatorNamed } from '../audit/audit.rules.ts';
import type { GatewayClient } from '../clients/gateway.client.ts';
import type { MailLimits } from '../mail/mail-limits.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { createAdmin, makeResetLink, removeAsOperator, setPassword, setRoleAsOperator } from './admins.ts';

const actorOf = ({ identity }: FastifyRequest) => operatorNamed(identity.actor);

export interface AdminRoutesDeps {
  database: Database;
  gateway: Pick<GatewayClient, 'tenant'>;
  passwords: PasswordHasher;
  mailLimits: MailLimits;
  settingsUrl: string;
}

/** Who signs in to a tenant's settings, for operators. */
export function adminRoutes(app: App, deps: AdminRoutesDeps): void {
  const { database } = deps;

  route(app, settingsRoutes.createAdmin, async (request) =>
    ok(await createAdmin(deps, request.tenantId, { ...request.body, by: actorOf(request) })),
  );

  route(app, settingsRoutes.listAdmins, async ({ tenantId }) =>
    ok((await listMembers(database.forTenant(tenantId))).map(adminRecord)),
  );

  quotaUsageRoute(app, async (tenantId) => ({ admins: await countAdmins(database.forTenant(tenantId)) }));
  quotaUsesRoute(app, () => findTenantsByAdmins(database.system));

  route(app, settingsRoutes.removeAdmin, async (request) => {
    const removed = { id: request.params.id, by: actorOf(request) };
    return ok(await removeAsOperator(database.forTenant(request.tenantId), removed));
  });

  route(app, settingsRoutes.setRole, async (request) => {
    const given = { id: request.params.id, role: request.body.role, by: actorOf(request) };
    return ok(await setRoleAsOperator(database.forTenant(request.tenantId), given));
  });

  route(app, settingsRoutes.setPassword, async (request) =>
    ok(await setPassword(deps, request.tenantId, { ...request.body, by: actorOf(request) })),
  );

  route(app, settingsRoutes.createResetLink, async (request) =>
    ok(await makeResetLink(deps, request.tenantId, { ...request.body, by: actorOf(request) })),
  );
}
