import { eventually, uniqueTenantId } from '../../support/index.ts';
import { appointmentEvent } from './appointment-event.ts';
import { startCrm } from './crm-world.ts';

const PAGES_AND_A_BIT = 2_345;

describe('empty visits', () => {
  it('fill themselves from scheduling’s snapshot, across pages and tenants', async () => {
    const [other, tenant] = [uniqueTenantId(), uniqueTenantId()].sort((a, b) => a - b) as [number, number];
    const held = (tenant_id: number, count: number) =>
      Array.from({ length: count }, (_, index) =>
        appointmentEvent({
          ...{ tenant_id, customer_id: 1, id: index + 1, version: 2 },
          ...{ status: 'completed', price: 10, date: '2024-02-03' },
        }),
      );
    const crm = await startCrm({
      isWhole: true,
      appointments: [...held(other, 5), ...held(tenant, PAGES_AND_A_BIT)],
    });
    const known = crm.newTenant({ id: tenant });
    const created = await crm.api(known, 'POST', '/api/v1/customers', {
      name: 'Anna',
      phone: '030 23125 123',
    });
    expect(created.body.data.id).toBe(1);

    await eventually(async () => {
      const { body } = await crm.api(known, 'GET', '/api/v1/customers/1');
      expect(body.data).toMatchObject({
        total_appointments: PAGES_AND_A_BIT,
        total_spent: PAGES_AND_A_BIT * 10,
        last_visit_date: '2024-02-03',
      });
    });
    await crm.stop();
  });
});
