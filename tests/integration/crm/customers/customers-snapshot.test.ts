import { SNAPSHOT_PAGE } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { type CrmWorld, startCrm } from '../crm-world.ts';

const MANY = systemSql<never, { tenantId: number; count: number }>(
  'test_many_customers',
  `insert into customers (tenant_id, name, phone, phone_e164, phone_digits, segment, source, search_text)
   select $tenantId, 'Customer', n::text, n::text, n::text, 'lead', 'api', 'customer' from generate_series(1, $count::int) n`,
);

describe('GET /internal/snapshots/customers', () => {
  let crm: CrmWorld;
  beforeAll(async () => {
    crm = await startCrm();
  });
  afterAll(() => crm.stop());

  const service = { issuer: 'scheduling', role: 'service' } as const;
  const read = (query = '', caller: Parameters<CrmWorld['send']>[1] = service) =>
    crm.send('internal', caller, { method: 'GET', url: `/internal/snapshots/customers${query}` });

  it('200: every customer of every tenant with its version, page by page', async () => {
    const [first, second] = [crm.newTenant(), crm.newTenant()].sort((a, b) => a - b) as [number, number];
    await crm.database.system.run(MANY, { tenantId: first, count: SNAPSHOT_PAGE });
    const body = { name: 'Anna', phone: '030 23125 123' };
    const { id } = (await crm.api(second, 'POST', '/api/v1/customers', body)).body.data;
    await crm.api(second, 'PATCH', `/api/v1/customers/${id}`, { segment: 'vip' });

    const page = (await read()).body.data;
    expect(page).toHaveLength(SNAPSHOT_PAGE);
    expect(new Set(page.map(({ tenant_id }: { tenant_id: number }) => tenant_id))).toEqual(new Set([first]));
    const last = page.at(-1);
    const next = await read(`?after_tenant=${last.tenant_id}&after_id=${last.aggregate_id}`);
    expect(next.body.data).toEqual([
      {
        tenant_id: second,
        aggregate_id: id,
        aggregate_version: 2,
        data: expect.objectContaining({ id, ...body, segment: 'vip' }),
      },
    ]);
    expect((await read(`?after_tenant=${second}&after_id=${id}`)).body.data).toEqual([]);
  });

  it('403 for all but services, 422 for an invalid position', async () => {
    const tenantId = crm.newTenant();
    for (const caller of [
      { issuer: 'operator', role: 'operator' },
      { issuer: 'settings-ui', role: 'admin', tenantId },
      { issuer: 'gateway', role: 'integrator', tenantId },
    ] as const)
      expect((await read('', caller)).status).toBe(403);
    expect((await read('?after_id=x')).body.errors).toHaveProperty('after_id');
  });
});
