import { randomBytes } from 'node:crypto';
import {
  gatewayRoutes,
  operations,
  type Plan,
  schedulingRoutes,
  settingsRoutes,
  type Tenant,
} from '@frontdesk/contracts';
import { requestOf, type ServiceClient } from '@frontdesk/service';
import { everyPage } from '../every-page.ts';
import { planAppointments } from './appointments.ts';
import { planCalls } from './calls/plan-calls.ts';
import type { SeedClients } from './clients.ts';
import { demoCustomers } from './customers.ts';
import type { DemoBusiness } from './demo-business.ts';
import { inParallel } from './in-parallel.ts';
import { seedAppointments } from './seed-appointments.ts';
import { type DemoCallSource, ensureCallSource, seedCalls } from './seed-calls.ts';

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
  const keys = await gateway.request(requestOf(gatewayRoutes.listKeys, { tenantId: id }));
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

  const toImport = requestOf(schedulingRoutes.importBusiness, { tenantId: id });
  const { services, staff } = await schedulingAdmin.request({ ...toImport, body: business.document });
  const customers = await seedCustomers(clients, id, business);
  if (!isComplete) {
    await seedAppointments(clients, id, planAppointments(business, today), {
      customers,
      services: new Map(services.map((service) => [service.name, service.id])),
      staff: new Map(staff.map((member) => [member.name, member.id])),
    });
    // Under slots_only the past could not be booked any more.
    const body = { settings: { booking_policy: business.bookingPolicy } };
    await schedulingAdmin.request({ ...toImport, body });
  }
  const call_source = await seedCalls(clients, id, { plannedCalls, isComplete });
  // The key's text is shown only once: where it was lost, the tenant gets another.
  const { key } = await gateway.request(
    requestOf(gatewayRoutes.createKey, { tenantId: id, body: { name: 'Demo' } }),
  );
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
  return gateway.request(requestOf(gatewayRoutes.createTenant, { body: business.tenant }));
}

/** Who signs in to a demo tenant's settings, as `.local/demo.json` lists it. */
interface DemoAdmin {
  email: string;
  password: string;
}

const PASSWORD_BYTES = 12;

/**
 * The admin of an earlier seed, or a new one. One whose password was lost gets another: it can't be read back.
 */
async function ensureAdmin(
  settings: ServiceClient,
  tenantId: number,
  { email, previous }: { email: string; previous: DemoAdmin | undefined },
): Promise<DemoAdmin> {
  const admins = await settings.request(requestOf(settingsRoutes.listAdmins, { tenantId }));
  const isThere = admins.some((admin) => admin.email === email);
  if (isThere && previous?.email === email) return previous;
  const body = { email, password: randomBytes(PASSWORD_BYTES).toString('hex') };
  const declared = isThere ? settingsRoutes.setPassword : settingsRoutes.createAdmin;
  await settings.request(requestOf(declared, { tenantId, body }));
  return body;
}

const CONCURRENCY = 4;

/** Adds the demo customers that the tenant doesn't have yet; the ids of all, in the demo's order. */
async function seedCustomers(
  { crm }: SeedClients,
  tenantId: number,
  business: DemoBusiness,
): Promise<number[]> {
  const existing = await everyPage((query) =>
    crm.request(requestOf(operations.listCustomers, { tenantId, query })),
  );
  const idByPhone = new Map(existing.map(({ phone, id }) => [phone, id]));
  return inParallel(demoCustomers(business), CONCURRENCY, async (body) => {
    const known = idByPhone.get(body.phone);
    if (known !== undefined) return known;
    return (await crm.request(requestOf(operations.createCustomer, { tenantId, body }))).id;
  });
}
