import type { UnderTest } from './service-under-test.ts';
import { SERVICES } from './services-under-test.ts';
import { walk } from './walk.ts';

/** For ODD_INPUT=all. */
jest.setTimeout(7_200_000);

describe.each(SERVICES)('%s', (_name, start) => {
  let service: UnderTest;
  beforeEach(async () => {
    service = await start();
  });
  afterEach(() => service.stop());

  it('answers whatever comes on every route without a fault, and goes on', async () => {
    const { faults, routes } = await walk(service, service.newTenant());
    expect(routes).toBeGreaterThan(5);
    expect(faults).toEqual([]);
    expect(await service.running.stop()).toBe(0);
  });
});
