import { schedulingRoutes, type UpdateBookingSettings } from '@frontdesk/contracts';
import type { Database, TenantTransaction } from '@frontdesk/database';
import { type App, changesOf, matching, ok, type RequireVersion, route, versioned } from '@frontdesk/service';
import { findBookingSettings, lockBusiness, updateBookingSettings } from './booking-settings.repository.ts';
import {
  type BookingSettingsChange,
  bookingSettingsRecord,
  policyRecord,
  type StoredBookingSettings,
  withChoice,
} from './booking-settings.rules.ts';

/** How a business lets itself be booked. */
export function bookingSettingsRoutes(app: App, { database }: { database: Database }): void {
  route(app, schedulingRoutes.getBookingSettings, async ({ tenantId }, reply) => {
    const settings = await findBookingSettings(database.forTenant(tenantId));
    return versioned(reply, settings.version, bookingSettingsRecord(settings));
  });

  route(app, schedulingRoutes.getBookingPolicy, async ({ tenantId }) =>
    ok(policyRecord(await findBookingSettings(database.forTenant(tenantId)))),
  );

  route(app, schedulingRoutes.updateBookingSettings, async (request, reply) => {
    const settings = await database
      .forTenant(request.tenantId)
      .transaction((tx) => changeSettings(tx, request.body, matching(request)));
    return versioned(reply, settings.version, bookingSettingsRecord(settings));
  });
}

/** @throws AppError `precondition_failed` */
async function changeSettings(
  tx: TenantTransaction,
  patch: UpdateBookingSettings,
  requireVersion: RequireVersion,
): Promise<StoredBookingSettings> {
  const before = await lockBusiness(tx);
  requireVersion(before.version);
  const changes = changesOf<BookingSettingsChange>(before, withChoice(patch));
  return changes ? updateBookingSettings(tx, changes) : before;
}
