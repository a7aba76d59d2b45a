import { pathTo, schedulingRoutes } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, matching, notFound, ok, requireStorage, route, versioned } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { idempotent } from '@frontdesk/wiring';
import type { FastifyReply } from 'fastify';
import { created } from '../services/named-records.ts';
import { listStaffHours } from '../working-hours/own-calendar.repository.ts';
import { changeStaff, deleteStaff } from './change-staff.ts';
import { createStaff } from './create-staff.ts';
import { findStaffMemberForAdmin, listStaffForAdmin } from './staff.repository.ts';
import { type StaffAdminRow, staffAdminRecord } from './staff.rules.ts';

/** Who works in a business, for those who run it. */
export function staffAdminRoutes(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  const { database, tenants } = deps;

  const show = (reply: FastifyReply, row: StaffAdminRow) =>
    versioned(reply, row.version, staffAdminRecord(row));

  route(app, schedulingRoutes.listStaff, async ({ tenantId }) =>
    ok((await listStaffForAdmin(database.forTenant(tenantId))).map(staffAdminRecord)),
  );

  route(app, schedulingRoutes.listStaffHours, async ({ tenantId }) =>
    ok(await listStaffHours(database.forTenant(tenantId))),
  );

  route(app, schedulingRoutes.createStaffMember, async (request, reply) => {
    const tenant = await tenants.find(request.tenantId);
    const scope = database.forTenant(request.tenantId);
    return idempotent({ request, reply, scope }, (transaction) =>
      transaction(async (tx) => {
        requireStorage(tenant);
        const row = await createStaff(tx, request.body, tenant.quotas);
        const at = pathTo(schedulingRoutes.getStaffMember, { tenant_id: request.tenantId, id: row.id });
        return created(at, row.version, staffAdminRecord(row));
      }),
    );
  });

  route(app, schedulingRoutes.getStaffMember, async ({ tenantId, params }, reply) => {
    const row = await findStaffMemberForAdmin(database.forTenant(tenantId), params.id);
    if (row === null) throw notFound('Staff member');
    return show(reply, row);
  });

  route(app, schedulingRoutes.updateStaffMember, async (request, reply) => {
    const { params, body, tenantId } = request;
    const { quotas } = await tenants.find(tenantId);
    const context = { quotas, requireVersion: matching(request) };
    const scope = database.forTenant(tenantId);
    return show(reply, await scope.transaction((tx) => changeStaff(tx, params.id, body, context)));
  });

  route(app, schedulingRoutes.deleteStaffMember, async (request, reply) => {
    const { params, tenantId } = request;
    const scope = database.forTenant(tenantId);
    return show(reply, await scope.transaction((tx) => deleteStaff(tx, params.id, matching(request))));
  });
}
