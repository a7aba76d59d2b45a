import type { Appointment, Customer, PageMeta } from '@frontdesk/contracts';
import { type DemoTenant, seedDemo } from '../../../scripts/seed/index.ts';
import { eventually } from '../../support/index.ts';
import { startThreeServices } from './three-services.ts';

describe('seedDemo', () => {
  let system: Awaited<ReturnType<typeof startThreeServices>>;
  let tenants: DemoTenant[];
  const progress: string[] = [];

  beforeAll(async () => {
    system = await startThreeServices();
    tenants = await seed();
  }, 120_000);
  afterAll(() => system.stop());

  const seed = (previous?: DemoTenant[]) =>
    seedDemo({
      urls: system.urls,
      keysDirectory: system.keysDirectory,
      ...(previous ? { previous } : {}),
      onProgress: (text) => progress.push(text),
    });

  async function read<Data>({ api_key }: DemoTenant, path: string) {
    const answer = await fetch(`${system.gatewayUrl}/api/v1${path}`, { headers: { 'x-api-key': api_key } });
    expect(answer.status).toBe(200);
    return {
      remaining: Number(answer.headers.get('x-ratelimit-remaining')),
      ...((await answer.json()) as { data: Data; meta: PageMeta }),
    };
  }
  const totals = async () =>
    Promise.all(
      tenants.map(async (tenant) => {
        const [customers, appointments] = await Promise.all([
          read(tenant, '/customers?per_page=1'),
          read(tenant, '/appointments?per_page=1'),
        ]);
        return [customers.meta.total, appointments.meta.total];
      }),
    );

  it('tells of its progress', () => {
    expect(progress.slice(0, 3)).toEqual(tenants.map(({ name }) => `seeded ${name}`));
  });

  it('lists one tenant for each plan, with all that a caller needs', () => {
    expect(tenants.map(({ plan, timezone }) => [plan, timezone])).toEqual([
      ['starter', 'Europe/Berlin'],
      ['pro', 'America/New_York'],
      ['enterprise', 'Australia/Sydney'],
    ]);
    for (const tenant of tenants) {
      expect(tenant.customers).toHaveLength(50);
      expect(tenant.services.length).toBeGreaterThanOrEqual(4);
      expect(tenant.staff.length).toBeGreaterThanOrEqual(3);
    }
  });

  it('leaves the tenants their whole budget of requests', async () => {
    const { remaining } = await read(tenants[0] as DemoTenant, '/services');
    expect(remaining).toBeGreaterThanOrEqual(25);
  });

  it('has appointments of every status, past and to come, which the customers’ totals reflect', async () => {
    for (const tenant of tenants) {
      const found = await Promise.all(
        (['scheduled', 'completed', 'cancelled', 'no_show'] as const).map((status) =>
          read<Appointment[]>(tenant, `/appointments?per_page=100&status=${status}`),
        ),
      );
      for (const { data } of found) expect(data.length).toBeGreaterThan(0);
      const [completed] = found[1]?.data ?? [];
      await eventually(async () => {
        const { data } = await read<Customer>(tenant, `/customers/${completed?.customer_id ?? 0}`);
        expect(data.total_spent).toBeGreaterThan(0);
        expect(data.last_visit_date).not.toBeNull();
      });
    }
  });

  it('changes nothing the second time, given what the first returned', async () => {
    const before = await totals();
    const again = await seed(tenants);
    expect(again).toEqual(tenants);
    expect(progress.slice(-3)).toEqual(tenants.map(({ name }) => `found ${name}`));
    expect(await totals()).toEqual(before);
  });

  it('gives a further key, and nothing else, where the first were lost', async () => {
    const before = await totals();
    const again = await seed();
    const firstKeys = tenants.map(({ api_key }) => api_key);
    expect(again).toEqual(
      tenants.map((tenant) => ({ ...tenant, api_key: expect.stringMatching(/^fd_live_/) })),
    );
    expect(again.filter(({ api_key }) => firstKeys.includes(api_key))).toEqual([]);
    expect(await totals()).toEqual(before);
  });
});
