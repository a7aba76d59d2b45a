import { customerByPhoneBody, type MergedCustomer, snapshotQuery } from '@frontdesk/contracts';
import { type App, AppError, ok } from '@frontdesk/service';
import { sampleCustomer } from '../../support/index.ts';

/** What the crm of these tests is asked: whose number it is. */
export function fakeCrm() {
  const customers = new Map<string, number>();
  const asked: { tenantId: number; phone: string; create: boolean }[] = [];
  /** Of the snapshot. */
  const merged: { tenantId: number; id: number; data: MergedCustomer }[] = [];
  let lastId = 1_000;
  let mode: 'up' | 'away' | 'hanging' | 'full' = 'up';
  let letGo = Promise.withResolvers<void>();

  return {
    asked,
    /**
     * From now on. `away` refuses; `full` makes no new customers; asked for a number, `hanging` doesn't answer until it
     * is something else.
     */
    set: (next: typeof mode) => {
      mode = next;
      letGo.resolve();
      letGo = Promise.withResolvers();
    },
    /** Whose number it is from now on. */
    addCustomer(tenantId: number, phone: string): number {
      lastId += 1;
      customers.set(`${tenantId} ${phone}`, lastId);
      return lastId;
    },
    /** A customer who has become part of another one, with a number of theirs. */
    addMerged(tenantId: number, phone: string, merged_into: number): number {
      lastId += 1;
      const data = { id: lastId, merged_into, phone, merged_at: '2026-03-02T09:00:00Z' };
      merged.push({ tenantId, id: lastId, data });
      return lastId;
    },
    routes(app: App) {
      app.get(
        '/internal/snapshots/customers',
        { schema: { querystring: snapshotQuery } },
        async ({ query: { after_tenant, after_id } }) => {
          if (mode === 'away') throw new AppError('service_unavailable', 'Away.');
          const held = [...customers].map(([key, id]) => ({
            tenantId: Number(key.split(' ')[0]),
            id,
            data: sampleCustomer({ id, phone: key.split(' ')[1] ?? '' }),
          }));
          return ok(
            [...held, ...merged]
              .filter(
                ({ tenantId, id }) => tenantId > after_tenant || (tenantId === after_tenant && id > after_id),
              )
              .sort((one, other) => one.tenantId - other.tenantId || one.id - other.id)
              .map(({ tenantId, id, data }) => ({
                tenant_id: tenantId,
                aggregate_id: id,
                aggregate_version: 1,
                data,
              })),
          );
        },
      );
      app.post(
        '/internal/tenants/:tenant_id/customers/by-phone',
        { schema: { body: customerByPhoneBody } },
        async ({ params, body: { phone, create } }) => {
          const tenantId = Number((params as { tenant_id: string }).tenant_id);
          asked.push({ tenantId, phone, create });
          if (mode === 'hanging') await letGo.promise;
          if (mode === 'away') throw new AppError('service_unavailable', 'Away.');
          const key = `${tenantId} ${phone}`;
          if (create && mode === 'full' && !customers.has(key))
            throw new AppError('quota_exceeded', 'Your plan allows 1 customers, and there is 1.');
          if (create && !customers.has(key)) this.addCustomer(tenantId, phone);
          return ok({ customer_id: customers.get(key) ?? null });
        },
      );
    },
  };
}
