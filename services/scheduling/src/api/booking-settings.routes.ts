import { bookingSettings, chosenPolicy, dataOf, updateBookingSettingsBody } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, matching, ok, versioned } from '@frontdesk/service';
import { findSettings } from '../data/settings.repository.ts';
import { policyRecord, settingsRecord } from '../domain/settings.ts';
import { changeSettings } from '../use-cases/change-settings.ts';

const PATH = '/internal/tenants/:tenant_id/booking-settings';
const response = { 200: dataOf(bookingSettings) };

/** How a business lets itself be booked. */
export function bookingSettingsRoutes(app: App, { database }: { database: Database }): void {
  app.get(PATH, { schema: { response } }, async ({ tenantId }, reply) => {
    const settings = await findSettings(database.forTenant(tenantId));
    return versioned(reply, settings.version, settingsRecord(settings));
  });

  app.get(
    '/internal/tenants/:tenant_id/booking-policy',
    { schema: { response: { 200: dataOf(chosenPolicy) } } },
    async ({ tenantId }) => ok(policyRecord(await findSettings(database.forTenant(tenantId)))),
  );

  app.patch(PATH, { schema: { body: updateBookingSettingsBody, response } }, async (request, reply) => {
    const settings = await database
      .forTenant(request.tenantId)
      .transaction((tx) => changeSettings(tx, request.body, matching(request)));
    return versioned(reply, settings.version, settingsRecord(settings));
  });
}
