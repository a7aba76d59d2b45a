import { createBusiness } from '../../e2e/support/business.ts';
import type { Target } from '../../e2e/support/target.ts';

/** A business that can be booked, and a key for the client. */
export async function createClientBusiness(target: Target) {
  const business = await createBusiness(target, 'Salon Client');
  const words = ['key', 'create', '--tenant', String(business.tenant.id), '--name', 'client'];
  const { key: apiKey } = await target.operator.json<{ key: string }>(words);
  return { business, apiKey };
}
