import type { ServiceClient } from '@frontdesk/service';
import { z } from 'zod';

export type ExampleRecordsClient = ReturnType<typeof createExampleRecordsClient>;

const services = z.array(z.object({ id: z.int(), is_active: z.boolean() }));
const staff = z.array(z.object({ id: z.int(), is_active: z.boolean(), service_ids: z.array(z.int()) }));

/** Records of the tenant that examples can name: what can be booked, and with whom. */
export function createExampleRecordsClient(scheduling: ServiceClient, options: { readTimeoutMs: number }) {
  const read = { method: 'GET', timeoutMs: options.readTimeoutMs } as const;
  const pathOf = (tenantId: number, kind: string) => `/internal/tenants/${tenantId}/${kind}`;
  return {
    async serviceIds(tenantId: number) {
      const path = pathOf(tenantId, 'services');
      const records = await scheduling.request({ ...read, tenantId, path, schema: services });
      return records.flatMap(({ id, is_active }) => (is_active ? [id] : []));
    },
    async staff(tenantId: number) {
      const path = pathOf(tenantId, 'staff');
      const records = await scheduling.request({ ...read, tenantId, path, schema: staff });
      return records.filter(({ is_active }) => is_active);
    },
  };
}
