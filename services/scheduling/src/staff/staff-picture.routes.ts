import { schedulingRoutes } from '@frontdesk/contracts';
import type { Database, TenantTransaction } from '@frontdesk/database';
import { type App, invalid, matching, notFound, requireStorage, route, versioned } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lockStaffMember } from './change-staff.ts';
import { updateStaffMember } from './staff.repository.ts';
import { type StaffAdminRow, staffAdminRecord } from './staff.rules.ts';
import { deleteStaffPicture, findStaffPicture, saveStaffPicture } from './staff-picture.repository.ts';
import { isOfType } from './staff-picture.rules.ts';

/** The picture of a staff member. Each change of it is one of the member's version, which their calendars go by. */
export function staffPictureRoutes(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  const { database, tenants } = deps;

  const change = async (
    { reply, request, id }: { request: FastifyRequest; reply: FastifyReply; id: number },
    work: (tx: TenantTransaction, before: StaffAdminRow) => Promise<StaffAdminRow>,
  ) => {
    const row = await database
      .forTenant(request.tenantId)
      .transaction(async (tx) => work(tx, await lockStaffMember(tx, id, matching(request))));
    return versioned(reply, row.version, staffAdminRecord(row));
  };

  route(app, schedulingRoutes.getStaffPicture, async ({ tenantId, params }, reply) => {
    const picture = await findStaffPicture(database.forTenant(tenantId), params.id);
    if (picture === null) throw notFound('Picture');
    const { type, bytes, version } = picture;
    return versioned(reply, version, { type, base64: bytes.toString('base64') });
  });

  route(app, schedulingRoutes.setStaffPicture, async (request, reply) => {
    const { type, base64 } = request.body;
    const bytes = Buffer.from(base64, 'base64');
    if (!isOfType(type, bytes))
      throw invalid({
        base64: [{ text: `The base64 field must be a file of ${type}.`, reason: 'not_picture' }],
      });
    requireStorage(await tenants.find(request.tenantId));
    return change({ request, reply, id: request.params.id }, async (tx, before) => {
      const row = await updateStaffMember(tx, before.id, {});
      await saveStaffPicture(tx, before.id, { type, bytes, version: row.version });
      return { ...before, ...row, picture_version: row.version };
    });
  });

  route(app, schedulingRoutes.deleteStaffPicture, async (request, reply) =>
    change({ request, reply, id: request.params.id }, async (tx, before) => {
      if (!(await deleteStaffPicture(tx, before.id))) return before;
      return { ...before, ...(await updateStaffMember(tx, before.id, {})), picture_version: null };
    }),
  );
}
