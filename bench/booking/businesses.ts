import { createdApiKey, customerSchema, importedBusiness, tenantSchema } from '@frontdesk/contracts';
import { createSeedClients, type SeedClients, type SeedUrls } from '../../scripts/seed/clients.ts';
import { type DemoCallSource, seedCalls } from '../../scripts/seed/seed-calls.ts';

/** A business that is busy from six to ten, every day. */
export interface BenchBusiness {
  id: number;
  key: string;
  serviceId: number;
  staffIds: number[];
  customerIds: number[];
  callSource: DemoCallSource;
}

const STAFF = 10;
const CUSTOMERS = 20;
const DAILY = [{ start: '06:00', end: '22:00' }];
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const HOURS = Object.fromEntries(DAYS.map((day) => [day, DAILY]));
const DOCUMENT = {
  services: [{ name: 'Haircut', duration_minutes: 30, price: 45.5 }],
  staff: Array.from({ length: STAFF }, (_, n) => ({
    name: `Staff ${n}`,
    services: ['Haircut'],
    hours: HOURS,
  })),
};

/** Businesses on the largest plan, set up as the operator and integrators would. */
export async function createBusinesses(
  urls: SeedUrls,
  keysDirectory: string,
  count: number,
): Promise<BenchBusiness[]> {
  const clients = await createSeedClients(urls, keysDirectory);
  try {
    const businesses: BenchBusiness[] = [];
    for (let n = 0; n < count; n += 1) businesses.push(await createBusiness(clients, n));
    return businesses;
  } finally {
    await clients.close();
  }
}

async function createBusiness(clients: SeedClients, n: number): Promise<BenchBusiness> {
  const { id } = await clients.gateway.request({
    method: 'POST',
    path: '/internal/tenants',
    body: {
      name: `Bench ${n}`,
      plan: 'enterprise',
      timezone: 'Europe/Berlin',
      country: 'DE',
      currency: 'EUR',
    },
    schema: tenantSchema,
  });
  const { services, staff } = await clients.schedulingAdmin.request({
    method: 'PUT',
    path: `/internal/tenants/${id}/business`,
    body: DOCUMENT,
    schema: importedBusiness,
  });
  const customers = await Promise.all(
    Array.from({ length: CUSTOMERS }, (_, index) =>
      clients.crm.request({
        tenantId: id,
        method: 'POST',
        path: '/api/v1/customers',
        body: { name: `Customer ${index}`, phone: phoneOf(index) },
        schema: customerSchema,
      }),
    ),
  );
  const callSource = await seedCalls(clients, id, { plannedCalls: () => [], isComplete: true });
  const { key } = await clients.gateway.request({
    method: 'POST',
    path: `/internal/tenants/${id}/keys`,
    body: { name: 'Bench' },
    schema: createdApiKey,
  });
  return {
    id,
    key,
    serviceId: services[0]?.id ?? 0,
    staffIds: staff.map((member) => member.id),
    customerIds: customers.map((customer) => customer.id),
    callSource,
  };
}

/** A Berlin number in international form, another for each n. */
export const phoneOf = (n: number) => `+4930231${String(n).padStart(5, '0')}`;
