import type {
  Appointment,
  BusinessRecord,
  Call,
  CallListEntry,
  Customer,
  PageMeta,
} from '@frontdesk/contracts';
import { z } from 'zod';
import { createSeedClients } from '../../../scripts/seed/clients.ts';
import { type DemoTenant, seedDemo } from '../../../scripts/seed/index.ts';
import { eventually } from '../../support/index.ts';
import { startDemoSystem } from './demo-system.ts';

const TOO_MANY_REQUESTS = 429;
/** The least of the plans has few requests in one. */
const OVER_A_MINUTE = { timeoutMs: 150_000 };

/** Everything of a demo is seeded in the set-up: on a busy machine that takes minutes. */
jest.setTimeout(1_800_000);

describe('seedDemo', () => {
  let system: Awaited<ReturnType<typeof startDemoSystem>>;
  let tenants: DemoTenant[];
  const progress: string[] = [];

  beforeAll(async () => {
    system = await startDemoSystem();
    tenants = await seed();
  });
  afterAll(() => system.stop());

  // None of the tenants is in a day before it, and it stays the same.
  const today = Temporal.Now.plainDateISO('America/New_York');
  const seed = (previous?: DemoTenant[]) =>
    seedDemo({
      today,
      urls: system.urls,
      keysDirectory: system.keysDirectory,
      ...(previous ? { previous } : {}),
      onProgress: (text) => progress.push(text),
    });

  async function read<Data>({ api_key }: DemoTenant, path: string) {
    const answer = await eventually(async () => {
      const found = await fetch(`${system.gatewayUrl}/api/v1${path}`, { headers: { 'x-api-key': api_key } });
      expect(found.status).not.toBe(TOO_MANY_REQUESTS);
      return found;
    }, OVER_A_MINUTE);
    expect(answer.status).toBe(200);
    return {
      remaining: Number(answer.headers.get('x-ratelimit-remaining')),
      ...((await answer.json()) as { data: Data; meta: PageMeta }),
    };
  }
  const totals = async () =>
    Promise.all(
      tenants.map(async (tenant) => {
        const lists = ['/customers', '/appointments', '/calls'];
        const found = await Promise.all(lists.map((path) => read(tenant, `${path}?per_page=1`)));
        return found.map(({ meta }) => meta.total);
      }),
    );

  it('reports its progress', () => {
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

  it('one of them takes offered times only; the others keep the default', async () => {
    const policies = tenants.map(async (tenant) => {
      const { data } = await read<BusinessRecord>(tenant, '/business');
      return [data.id, data.booking_policy];
    });
    const [first, ...others] = tenants.map(({ id }) => id);
    expect(await Promise.all(policies)).toEqual([[first, 'slots_only'], ...others.map((id) => [id, 'open'])]);
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

  it('has dozens of calls of every kind, of its customers and of strangers', async () => {
    for (const tenant of tenants) {
      const { data, meta, linked } = await eventually(async () => {
        const found = await read<CallListEntry[]>(tenant, '/calls?per_page=100');
        const linked = found.data.filter(({ customer_id }) => customer_id !== null);
        // A call whose customer isn't known at once is linked afterwards.
        expect(linked.length).toBeGreaterThan(found.meta.total / 2);
        expect(linked.length).toBeLessThan(found.meta.total);
        return { ...found, linked };
      });
      expect(meta.total).toBeGreaterThanOrEqual(24);
      const valuesOf = (field: keyof CallListEntry) => new Set(data.map((call) => call[field]));
      expect(valuesOf('sentiment')).toEqual(new Set(['positive', 'neutral', 'negative', null]));
      expect(valuesOf('outcome').size).toBeGreaterThanOrEqual(6);
      expect(valuesOf('direction')).toEqual(new Set(['inbound', 'outbound']));
      expect(valuesOf('missed')).toEqual(new Set([true, false]));
      expect(valuesOf('source')).toEqual(new Set(['Phone agent']));
      expect(linked.every(({ customer_id }) => tenant.customers.includes(customer_id ?? 0))).toBe(true);
      const [talk] = data.filter(({ missed }) => !missed);
      const { data: call } = await read<Call>(tenant, `/calls/${talk?.id}`);
      expect(call.transcript.length).toBeGreaterThan(0);
      expect(call.transcript.at(-1)?.end).toBeLessThanOrEqual(call.duration);
      expect(call.summary).not.toBeNull();
    }
  });

  it('names a call source for each, with its ingest address', () => {
    for (const { call_source } of tenants) {
      expect(call_source.ingest_url).toMatch(/^https:\/\/desk\.example\.com\/ingest\/calls\/\w+$/);
      expect(call_source.secret).toMatch(/^whsec_/);
    }
  });

  it('changes nothing the second time, given what the first returned', async () => {
    const before = await totals();
    const again = await seed(tenants);
    expect(again).toEqual(tenants);
    expect(progress.slice(-3)).toEqual(tenants.map(({ name }) => `found ${name}`));
    expect(await totals()).toEqual(before);
  });

  it('gives a demo of a release without calls its source and its calls, and leaves the rest', async () => {
    const [tenant] = tenants as [DemoTenant];
    const before = await totals();
    const { calls, close } = await createSeedClients(system.urls, system.keysDirectory);
    const { call_source, ...older } = tenant;
    const path = `/internal/tenants/${tenant.id}/call-sources/${call_source.id}`;
    await calls.request({ method: 'DELETE', path, schema: z.unknown() });
    await close();

    const seeded = await seed([older as DemoTenant, ...tenants.slice(1)]);
    const anew = { ingest_url: expect.any(String), secret: expect.stringMatching(/^whsec_/) };
    expect(seeded[0]).toEqual({ ...tenant, call_source: { id: expect.any(Number), ...anew } });
    expect(seeded[0]?.call_source.id).not.toBe(call_source.id);
    // Calls of the source that was deleted stay, and the new one numbers its own.
    const [[customers, appointments, calledBefore = 0] = [], ...others] = before;
    expect(await totals()).toEqual([[customers, appointments, 2 * calledBefore], ...others]);
    tenants = seeded;
  });

  it('gives a further key, a new secret and a new password, and nothing else, where the first were lost', async () => {
    const before = await totals();
    const again = await seed();
    const firstKeys = tenants.map(({ api_key }) => api_key);
    expect(again).toEqual(
      tenants.map((tenant) => ({
        ...tenant,
        api_key: expect.stringMatching(/^fd_live_/),
        admin: { email: tenant.admin.email, password: expect.any(String) },
        call_source: { ...tenant.call_source, secret: expect.stringMatching(/^whsec_/) },
      })),
    );
    expect(again.filter(({ api_key }) => firstKeys.includes(api_key))).toEqual([]);
    const firstPasswords = tenants.map(({ admin }) => admin.password);
    expect(again.filter(({ admin }) => firstPasswords.includes(admin.password))).toEqual([]);
    expect(await totals()).toEqual(before);
  });
});
