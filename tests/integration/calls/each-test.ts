import type { CallProviderName } from '@frontdesk/contracts';
import { type CallsWorld, type Source, startCalls } from './calls-world.ts';

/** The service of the test file; and of each test a tenant with a call source. */
export let calls: CallsWorld;
export let tenant: number;
export let source: Source;

/** Starts these for the tests of a file, and stops them. */
export function startForEachTest(provider?: CallProviderName): void {
  beforeAll(async () => {
    calls = await startCalls();
  });
  beforeEach(async () => {
    tenant = calls.newTenant();
    source = await calls.newSource(tenant, provider);
  });
  afterAll(() => calls.stop());
}
