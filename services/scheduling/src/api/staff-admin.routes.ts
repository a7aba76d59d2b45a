import { idempotent } from '@frontdesk/chassis';
import {
  createStaffBody,
  dataOf,
  pathId,
  staffAdminSchema,
  staffHoursSchema,
  updateStaffBody,
} from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, matching, notFound, ok, versioned } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { listStaffHours } from '../data/own-calendar.repository.ts';
import { findStaffMemberForAdmin, listStaffForAdmin } from '../data/staff.repository.ts';
import { type StaffAdminRow, staffAdminRecord } from '../domain/staff.ts';
import { changeStaff, deleteStaff } from '../use-cases/change-staff.ts';
import { createStaff } from '../use-cases/create-staff.ts';
import { created } from './created.ts';

const LIST = '/internal/tenants/:tenant_id/staff';
const SINGLE = `${LIST}/:id` as const;
const single = { params: pathId.loose(), response: { 200: dataOf(staffAdminSchema) } };
const config = { resource: 'Staff member' };

/** Who works in a business, for those who run it. */
export function staffAdminRoutes(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  const { database, tenants } = deps;

  const show = (reply: FastifyReply, row: StaffAdminRow) =>
    versioned(reply, row.version, staffAdminRecord(row));

  app.get(LIST, { schema: { response: { 200: dataOf(z.array(staffAdminSchema)) } } }, async ({ tenantId }) =>
    ok((await listStaffForAdmin(database.forTenant(tenantId))).map(staffAdminRecord)),
  );

  app.get(
    '/internal/tenants/:tenant_id/staff-hours',
    { schema: { response: { 200: dataOf(z.array(staffHoursSchema)) } } },
    async ({ tenantId }) => ok(await listStaffHours(database.forTenant(tenantId))),
  );

  app.post(
    LIST,
    { schema: { body: createStaffBody, response: { 201: dataOf(staffAdminSchema) } } },
    async (request, reply) => {
      const { quotas } = await tenants.find(request.tenantId);
      const scope = database.forTenant(request.tenantId);
      return idempotent({ request, reply, scope }, (transaction) =>
        transaction(async (tx) => {
          const row = await createStaff(tx, request.body, quotas);
          return created(`/internal/tenants/${request.tenantId}/staff`, row.version, staffAdminRecord(row));
        }),
      );
    },
  );

  app.get(SINGLE, { config, schema: single }, async ({ tenantId, params }, reply) => {
    const row = await findStaffMemberForAdmin(database.forTenant(tenantId), params.id);
    if (row === null) throw notFound('Staff member');
    return show(reply, row);
  });

  app.patch(SINGLE, { config, schema: { ...single, body: updateStaffBody } }, async (request, reply) => {
    const { params, body, tenantId } = request;
    const { quotas } = await tenants.find(tenantId);
    const context = { quotas, requireVersion: matching(request) };
    const scope = database.forTenant(tenantId);
    return show(reply, await scope.transaction((tx) => changeStaff(tx, params.id, body, context)));
  });

  app.delete(SINGLE, { config, schema: single }, async (request, reply) => {
    const { params, tenantId } = request;
    const scope = database.forTenant(tenantId);
    return show(reply, await scope.transaction((tx) => deleteStaff(tx, params.id, matching(request))));
  });
}
