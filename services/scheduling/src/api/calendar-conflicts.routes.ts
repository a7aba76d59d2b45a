import { calendarConflicts, dataOf, pathId } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, clientGone, notFound, ok } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { z } from 'zod';
import { findStaffMember } from '../data/staff.repository.ts';
import { BUSINESS } from '../domain/slot.ts';
import { findCalendarConflicts } from '../use-cases/find-calendar-conflicts.ts';

/** A path that names nobody means everybody. */
const ownerPath = z.looseObject({ id: pathId.shape.id.default(BUSINESS) });

/** Appointments that calendars, as they are now, would not offer. */
export function calendarConflictRoutes(
  app: App,
  { database, tenants }: { database: Database; tenants: TenantDirectory },
): void {
  for (const owner of ['', '/staff/:id'] as const)
    app.get(
      `/internal/tenants/:tenant_id${owner}/calendar/conflicts`,
      {
        config: { resource: 'Staff member' },
        schema: { params: ownerPath, response: { 200: dataOf(calendarConflicts) } },
      },
      async ({ tenantId, params: { id } }, reply) => {
        const { timezone } = await tenants.find(tenantId);
        const scope = database.forTenant(tenantId);
        if (id !== BUSINESS && (await findStaffMember(scope, id)) === null) throw notFound('Staff member');
        return ok(await findCalendarConflicts(scope, id, { timezone, signal: clientGone(reply) }));
      },
    );
}
