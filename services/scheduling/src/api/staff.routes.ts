import { dataOf, pathId, type StaffListEntry, staffListEntry, staffSchema } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { localTime } from '@frontdesk/local-time';
import { type App, clientGone, etagOfContent, notFound, ok } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { z } from 'zod';
import { findActiveStaffMember, listActiveStaff } from '../data/active-staff.repository.ts';
import { listUpcomingAppointments } from '../data/appointment.repository.ts';
import { staffRecord, workingHours } from '../domain/staff.ts';
import { nextFreeStarts, nextStartsRange } from '../use-cases/next-free-starts.ts';

const UPCOMING_LIMIT = 100;

export function staffRoutes(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  const { database, tenants } = deps;

  app.get(
    '/api/v1/staff',
    { schema: { response: { 200: dataOf(z.array(staffListEntry)) } } },
    async (request, reply) => {
      const scope = database.forTenant(request.tenantId);
      const { timezone } = await tenants.find(request.tenantId);
      const range = nextStartsRange(timezone);
      const signal = clientGone(reply);
      const entries: StaffListEntry[] = [];
      for await (const staff of listActiveStaff(scope, range)) {
        const next = await nextFreeStarts(scope, staff, { range, signal });
        for (const member of staff) entries.push(staffRecord(member, next.get(member.id), timezone));
      }
      return ok(entries);
    },
  );

  app.get(
    '/api/v1/staff/:id',
    {
      config: { resource: 'Staff member' },
      schema: { params: pathId, response: { 200: dataOf(staffSchema) } },
    },
    async (request, reply) => {
      const scope = database.forTenant(request.tenantId);
      const { timezone } = await tenants.find(request.tenantId);
      const range = nextStartsRange(timezone);
      const member = await findActiveStaffMember(scope, request.params.id, range);
      if (member === null) throw notFound('Staff member');
      const next = await nextFreeStarts(scope, [member], { range, signal: clientGone(reply) });
      const upcoming = await listUpcomingAppointments(scope, member.id, UPCOMING_LIMIT);
      const record = {
        ...staffRecord(member, next.get(member.id), timezone),
        working_hours: workingHours(member.calendar),
        upcoming_appointments: upcoming.map((row) => {
          const { date, time } = localTime(row.starts_at.getTime(), timezone);
          return { date, time };
        }),
      };
      reply.header('etag', etagOfContent(record));
      return ok(record);
    },
  );
}
