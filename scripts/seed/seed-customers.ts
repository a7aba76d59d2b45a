import { customerListEntry, customerSchema } from '@frontdesk/contracts';
import { everyPage } from '../every-page.ts';
import type { SeedClients } from './clients.ts';
import { demoCustomers } from './customers.ts';
import type { DemoBusiness } from './demo-business.ts';
import { inParallel } from './in-parallel.ts';

const CONCURRENCY = 4;

/** Adds the demo customers that the tenant doesn't have yet; the ids of all, in the demo's order. */
export async function seedCustomers(
  { crm }: SeedClients,
  tenantId: number,
  business: DemoBusiness,
): Promise<number[]> {
  const existing = await everyPage((query) =>
    crm.request({
      method: 'GET',
      path: `/api/v1/customers?${query}`,
      tenantId,
      schema: customerListEntry.array(),
    }),
  );
  const idByPhone = new Map(existing.map(({ phone, id }) => [phone, id]));
  return inParallel(demoCustomers(business), CONCURRENCY, async (body) => {
    const known = idByPhone.get(body.phone);
    if (known !== undefined) return known;
    const request = {
      method: 'POST',
      path: '/api/v1/customers',
      tenantId,
      body,
      schema: customerSchema,
    } as const;
    return (await crm.request(request)).id;
  });
}
