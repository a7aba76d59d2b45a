import type { MergeCustomer } from '@frontdesk/contracts';
import type { TenantScope } from '@frontdesk/database';
import { mergeCustomers } from '../../../services/crm/src/customers/merge-customers.ts';
import { eventually, lockWaits } from '../../support/index.ts';
import type { CrmWorld } from './crm-world.ts';
import { crm, tenant } from './each-test.ts';

interface Options {
  headers?: Record<string, string>;
  tenantId?: number;
  world?: CrmWorld;
}

/** What an admin of the business asks. */
export const asAdmin = (
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
  { headers = {}, tenantId = tenant, world = crm }: Options = {},
) =>
  world.send(
    'internal',
    { issuer: 'settings-ui', role: 'admin', tenantId },
    { method, url: `/internal/tenants/${tenantId}${path}`, body, headers },
  );

export const merge = (id: number, body: object, options?: Options) =>
  asAdmin('POST', `/customers/${id}/merge`, { takes_phone: false, ...body }, options);

export const add = async (name: string, phone: string, fields: object = {}): Promise<number> => {
  const { status, body } = await crm.api(tenant, 'POST', '/api/v1/customers', { name, phone, ...fields });
  expect([name, status]).toEqual([name, 201]);
  return body.data.id;
};

export const get = (id: number) => crm.api(tenant, 'GET', `/api/v1/customers/${id}`);

/** Each type and version, oldest first. */
export const eventsOf = async (id: number) =>
  (await crm.events(tenant))
    .filter(({ aggregate_id }) => aggregate_id === id)
    .map(({ type, aggregate_version }) => `${type} ${aggregate_version}`);

export const whoHas = async (phone: string): Promise<number | null> =>
  (
    await crm.send(
      'internal',
      { issuer: 'calls', role: 'service' },
      {
        method: 'POST',
        url: `/internal/tenants/${tenant}/customers/by-phone`,
        body: { phone, create: false },
      },
    )
  ).body.data.customer_id;

/** So many statements wait for what others hold. */
export const untilWaiting = (count: number) =>
  eventually(async () => expect((await lockWaits(crm.database)).all).toBe(count));

/** A merge that has done its work, and commits only once it is let. */
export async function heldMerge(id: number, body: Partial<MergeCustomer> & { merged_id: number }) {
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const scope = crm.database.forTenant(tenant);
  const held = {
    ...scope,
    transaction: (work: Parameters<TenantScope['transaction']>[0]) =>
      scope.transaction(async (tx) => {
        const result = await work(tx, undefined);
        begun.resolve();
        await released.promise;
        return result;
      }),
  } as TenantScope;
  const done = mergeCustomers(held, {
    id,
    body: { takes_phone: false, ...body },
    currency: 'EUR',
    requireVersion: () => {},
  });
  await Promise.race([begun.promise, done]);
  return {
    async commit() {
      released.resolve();
      await done;
    },
  };
}
