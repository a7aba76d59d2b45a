import { demoCustomers } from '../../../scripts/seed/customers.ts';
import { dentalPractice } from '../../../scripts/seed/dental-practice.ts';
import { hairStudio } from '../../../scripts/seed/hair-studio.ts';
import { wellnessGroup } from '../../../scripts/seed/wellness-group.ts';
import { type CrmWorld, startCrm } from './crm-world.ts';

describe('the demo’s customers', () => {
  let crm: CrmWorld;
  beforeAll(async () => {
    crm = await startCrm();
  });
  afterAll(() => crm.stop());

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
