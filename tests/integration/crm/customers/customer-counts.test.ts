import type { Customer } from '@frontdesk/contracts';
import fc from 'fast-check';
import { demoCustomers } from '../../../../scripts/seed/customers.ts';
import { dentalPractice } from '../../../../scripts/seed/dental-practice.ts';
import { hairStudio } from '../../../../scripts/seed/hair-studio.ts';
import { wellnessGroup } from '../../../../scripts/seed/wellness-group.ts';
import { type CrmWorld, startCrm } from '../crm-world.ts';

let crm: CrmWorld;
beforeAll(async () => {
  crm = await startCrm();
});
afterAll(() => crm.stop());

describe('totals of the filtered list', () => {
  const SEGMENTS = ['lead', 'active', 'inactive', 'vip'];
  const STAGES = ['won', 'a/b', 'won/', '%'];

  const asAdmin = async (tenantId: number, path: string) => {
    const request = { method: 'GET', url: `/internal/tenants/${tenantId}/${path}` } as const;
    const admin = { issuer: 'settings-ui', role: 'admin', tenantId } as const;
    return (await crm.send('internal', admin, request)).body.data;
  };

  it('are what the filters let through, whatever customers have gone through', async () => {
    const segment = fc.constantFrom(...SEGMENTS);
    const pipeline_stage = fc.constantFrom(...STAGES, null);
    const change = fc.record({ which: fc.nat(4), segment, pipeline_stage }, { requiredKeys: ['which'] });
    const story = fc.record({
      customers: fc.array(fc.record({ segment, pipeline_stage }), { minLength: 1, maxLength: 5 }),
      changes: fc.array(change, { maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(story, async ({ customers, changes }) => {
        const tenant = crm.newTenant();
        const state = await Promise.all(
          customers.map(async (fields, n) => {
            const body = { name: `Customer ${n}`, phone: `030 23125 ${100 + n}`, ...fields };
            return (await crm.api(tenant, 'POST', '/api/v1/customers', body)).body.data;
          }),
        );
        // Together, so that those of one customer queue for its row.
        await Promise.all(
          changes.map(async ({ which, ...fields }) => {
            const { id } = state[which % state.length];
            expect((await crm.api(tenant, 'PATCH', `/api/v1/customers/${id}`, fields)).status).toBe(200);
          }),
        );
        const list = async (query: Record<string, string>) =>
          (await crm.api(tenant, 'GET', `/api/v1/customers?${new URLSearchParams(query)}`)).body;
        expect((await list({})).meta.total).toBe(customers.length);
        const { segments } = await asAdmin(tenant, 'customer-counts');
        const stages = await asAdmin(tenant, 'pipeline-stages');
        for (const of of SEGMENTS) expect(segments[of]).toBe((await list({ segment: of })).meta.total);
        const inUse = (await list({})).data.map((one: Customer) => one.pipeline_stage);
        expect(new Set(stages)).toEqual(new Set(inUse.filter((stage: string | null) => stage !== null)));
        for (const stage of [undefined, ...STAGES])
          for (const of of [undefined, ...SEGMENTS]) {
            const { data, meta } = await list({
              ...(of && { segment: of }),
              ...(stage && { pipeline_stage: stage }),
            });
            expect(meta.total).toBe(data.length);
          }
      }),
      { numRuns: 15 },
    );
  });
});

describe('the demo’s customers', () => {
  it.each([hairStudio, dentalPractice, wellnessGroup])(
    'of $tenant.name are all taken: their numbers are valid',
    async (business) => {
      const { country, currency, timezone } = business.tenant;
      const tenant = crm.newTenant({ country, currency, timezone });
      const create = (body: object) => crm.api(tenant, 'POST', '/api/v1/customers', body);
      const answers = await Promise.all(demoCustomers(business).map(create));
      expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
      expect((await crm.api(tenant, 'GET', '/api/v1/customers')).body.meta.total).toBe(50);
    },
  );
});
