import {
  apiKeySchema,
  bookingSettings,
  createdApiKey,
  importedBusiness,
  type Plan,
  type Tenant,
  tenantSchema,
} from '@frontdesk/contracts';
import { planAppointments } from './appointments.ts';
import { planCalls } from './calls/plan-calls.ts';
import type { SeedClients } from './clients.ts';
import type { DemoBusiness } from './demo-business.ts';
import { type DemoAdmin, ensureAdmin } from './seed-admin.ts';
import { seedAppointments } from './seed-appointments.ts';
import { type DemoCallSource, ensureCallSource, seedCalls } from './seed-calls.ts';
import { seedCustomers } from './seed-customers.ts';

/** A demo tenant as `.local/demo.json` lists it. */
export interface DemoTenant {
  id: number;
  name: string;
  plan: Plan;
  timezone: string;
  api_key: string;
  customers: number[];
  services: number[];
  staff: number[];
  /** Who signs in to its settings. */
  admin: DemoAdmin;
  /** Where its calls come in; `npm run calls:replay` sends one. */
  call_source: DemoCallSource;
}

/**
 * Brings one demo business to its full state. Each step looks first at what is there, so one that was cut off goes on
 * where it stopped. The key comes last: a tenant that has one was seeded to the end.
 */
export async function seedTenant(
  clients: SeedClients,
  business: DemoBusiness,
  options: {
    existing: Tenant | undefined;
    previous: DemoTenant | undefined;
    today: Temporal.PlainDate | undefined;
  },
): Promise<{ tenant: DemoTenant; isNew: boolean }> {
  const { gateway, schedulingAdmin } = clients;
  const { id, plan } = options.existing ?? (await createTenant(clients, business));
  const keysPath = `/internal/tenants/${id}/keys`;
  const keys = await gateway.request({ method: 'GET', path: keysPath, schema: apiKeySchema.array() });
  const isComplete = keys.length > 0;
  const today = options.today ?? Temporal.Now.plainDateISO(business.tenant.timezone);
  const plannedCalls = () => planCalls(business, today);
  const admin = await ensureAdmin(clients.settings, id, {
    email: business.adminEmail,
    previous: options.previous?.id === id ? options.previous.admin : undefined,
  });
  if (isComplete && options.previous?.id === id) {
    const call_source = await ensureCallSource(clients, id, options.previous.call_source, plannedCalls);
    return { tenant: { ...options.previous, admin, call_source }, isNew: false };
  }

  const { services, staff } = await schedulingAdmin.request({
    method: 'PUT',
    path: `/internal/tenants/${id}/business`,
    body: business.document,
    schema: importedBusiness,
  });
  const customers = await seedCustomers(clients, id, business);
  if (!isComplete) {
    await seedAppointments(clients, id, planAppointments(business, today), {
      customers,
      services: new Map(services.map((service) => [service.name, service.id])),
      staff: new Map(staff.map((member) => [member.name, member.id])),
    });
    // Under slots_only the past could not be booked any more.
    await schedulingAdmin.request({
      method: 'PATCH',
      path: `/internal/tenants/${id}/booking-settings`,
      body: { booking_policy: business.bookingPolicy },
      schema: bookingSettings,
    });
  }
  const call_source = await seedCalls(clients, id, { plannedCalls, isComplete });
  // The key's text is shown only once: where it was lost, the tenant gets another.
  const { key } = await gateway.request({
    method: 'POST',
    path: keysPath,
    body: { name: 'Demo' },
    schema: createdApiKey,
  });
  const { name, timezone } = business.tenant;
  const idsOf = (rows: { id: number }[]) => rows.map((row) => row.id);
  const tenant = {
    id,
    name,
    plan,
    timezone,
    api_key: key,
    customers,
    services: idsOf(services),
    staff: idsOf(staff),
    admin,
    call_source,
  };
  return { tenant, isNew: !isComplete };
}

function createTenant({ gateway }: SeedClients, business: DemoBusiness): Promise<Tenant> {
  return gateway.request({
    method: 'POST',
    path: '/internal/tenants',
    body: business.tenant,
    schema: tenantSchema,
  });
}
