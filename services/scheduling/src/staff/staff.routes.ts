import { operations, type StaffListEntry } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { localTime } from '@frontdesk/local-time';
import { type App, clientGone, etagOfContent, notFound, ok, route } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { listUpcomingAppointments } from '../appointments/appointment.repository.ts';
import { findActiveStaffMember, listActiveStaff } from './active-staff.repository.ts';
import { nextFreeStarts, nextStartsRange } from './next-free-starts.ts';
import { staffRecord, workingHours } from './staff.rules.ts';

const UPCOMING_LIMIT = 100;

export function staffRoutes(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  const { database, tenants } = deps;

  route(app, operations.listStaff, async (request, reply) => {
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
  });

  route(app, operations.getStaffMember, async (request, reply) => {
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
  });
}
