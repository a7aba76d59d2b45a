import { type CrmWorld, startCrm } from './crm-world.ts';

/** The service of the test file; and of each test a tenant. */
export let crm: CrmWorld;
export let tenant: number;

/** Starts these for the tests of a file, and stops them. */
export function startForEachTest(): void {
  beforeAll(async () => {
    crm = await startCrm();
  });
  beforeEach(() => {
    tenant = crm.newTenant();
  });
  afterAll(() => crm.stop());
}
