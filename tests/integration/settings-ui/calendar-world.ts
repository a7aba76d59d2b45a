import { startCrm } from '../crm/crm-world.ts';
import { everyDay, openBusinessOf } from '../scheduling/salon.ts';
import { startScheduling } from '../scheduling/scheduling-world.ts';
import { LOCAL, startSettingsWorld } from './settings-world.ts';

const TWO_SHIFTS = everyDay([
  { start: '09:00', end: '12:00' },
  { start: '13:00', end: '17:00' },
]);

interface SalonFields {
  timezone?: string;
  country?: string;
  currency?: string;
  customer?: string;
  /** The zone that the gateway knows, and pages go by, where it isn't Berlin's. */
  pagesTimezone?: string;
  /** The settings that its browser is signed in to. */
  on?: Awaited<ReturnType<Awaited<ReturnType<typeof startSettingsWorld>>['startSettings']>>;
  [more: string]: unknown;
}

/** Settings over a real scheduling and crm: businesses with staff, appointments and customers with names. */
export async function startCalendarWorld({ hasEvents = false, collects = false } = {}) {
  const crm = await startCrm();
  const CRM_INTERNAL_URL = await crm.service.internal.listen(LOCAL);
  const scheduling = await startScheduling({ crmUrl: CRM_INTERNAL_URL });
  const SCHEDULING_INTERNAL_URL = await scheduling.service.internal.listen(LOCAL);
  const world = await startSettingsWorld({
    hasEvents,
    collects,
    beside: async () => ({ SCHEDULING_INTERNAL_URL, CRM_INTERNAL_URL }),
  });

  return {
    ...world,
    scheduling,
    crmUrl: CRM_INTERNAL_URL,
    /** A hairdresser's with Anna and Ben, a customer, and an admin who is signed in. */
    async newSalon(fields: SalonFields = {}) {
      const { country = 'DE', currency = 'EUR', timezone = 'Europe/Berlin', ...others } = fields;
      const { customer = 'Mia Wong', on = world.settings, pagesTimezone = 'Europe/Berlin', ...more } = others;
      // Its zone may have changed since scheduling has heard of it.
      const made = await world.gatewayWorld.newTenant(world.gateway, {
        country,
        currency,
        timezone: pagesTimezone,
      });
      const { tenantId, browser } = await world.signedIn({ tenantId: made, on });
      scheduling.newTenant({ id: tenantId, timezone, country, currency });
      crm.newTenant({ id: tenantId, timezone, country, currency });
      const salon = await openBusinessOf(
        scheduling,
        {
          services: [{ name: 'Haircut', duration_minutes: 60, buffer_after_minutes: 15, price: 45.5 }],
          staff: ['Anna', 'Ben'].map((name) => ({ name, services: ['Haircut'], hours: TWO_SHIFTS })),
          ...more,
        },
        tenantId,
      );
      const added = await crm.api(tenantId, 'POST', '/api/v1/customers', {
        name: customer,
        phone: '+49 30 901820',
      });
      const customer_id: number = added.body.data.id;
      return {
        ...salon,
        browser,
        customer_id,
        /** @returns the appointment's id */
        async booked(fields: object = {}): Promise<number> {
          const { status, body } = await salon.book({ customer_id, staff_id: salon.staffIds[0], ...fields });
          expect([status, body.errors]).toEqual([201, undefined]);
          return body.data.id;
        },
      };
    },
    async stop() {
      await world.stop();
      for (const { service, stop } of [scheduling, crm]) {
        await service.internal.close();
        await stop();
      }
    },
  };
}
