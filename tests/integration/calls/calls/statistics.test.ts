import { Client } from 'pg';
import { operator } from '../../../support/index.ts';
import { readingsOf } from '../../../support/plans.ts';
import { type CallsWorld, startCalls } from '../calls-world.ts';
import { loadCalls } from '../many-calls.ts';
import { genericCall } from '../sample-calls.ts';
import { genericMessage } from '../signed-messages.ts';

let calls: CallsWorld;
beforeAll(async () => {
  calls = await startCalls();
});
afterAll(() => calls.stop());

/** A tenant with calls that begin at these instants, a minute long unless they say otherwise. */
async function tenantWith(timezone: string, ...given: [start: string, seconds?: number, more?: object][]) {
  const tenant = calls.newTenant({ timezone });
  const source = await calls.newSource(tenant);
  for (const [started_at, seconds = 60, more = {}] of given) {
    const ended_at = new Date(Date.parse(started_at) + seconds * 1_000).toISOString();
    await calls.ingest(source, genericMessage(genericCall({ started_at, ended_at, ...more }), source));
  }
  await calls.settled(tenant);
  return tenant;
}

/** Zone, date, its first and last second, and the next one: days of 23 and 25 hours, one without midnight, one far in the east. */
const LOCAL_DAYS = [
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', '2026-03-29T22:00:00Z'],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z', '2026-10-25T23:00:00Z'],
  ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00Z', '2026-03-29T20:59:59Z', '2026-03-29T21:00:00Z'],
  [
    'Pacific/Kiritimati',
    '2026-06-01',
    '2026-05-31T10:00:00Z',
    '2026-06-01T09:59:59Z',
    '2026-06-01T10:00:00Z',
  ],
] as const;

describe('the statistics of calls', () => {
  const pathOf = (tenant: number, query = '') => `/internal/tenants/${tenant}/statistics/calls${query}`;
  const statisticsOf = async (tenant: number, date?: string) => {
    const answer = await calls.admin('GET', pathOf(tenant, date ? `?date=${date}` : ''));
    expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
    return answer.body.data;
  };

  it('counts calls and missed ones of fourteen days, and how eight weeks of them felt', async () => {
    const tenant = await tenantWith(
      'Europe/Berlin',
      ['2026-03-04T09:00:00Z', 60, { sentiment: 'positive' }],
      ['2026-03-04T10:00:00Z', 14],
      ['2026-03-03T10:00:00Z', 15, { sentiment: 'negative' }],
      ['2026-02-19T10:00:00Z', 60, { sentiment: 'neutral' }],
      ['2026-01-12T10:00:00Z', 60, { sentiment: 'positive' }],
      ['2026-01-11T10:00:00Z', 60, { sentiment: 'positive' }],
    );
    const { timezone, days, weeks } = await statisticsOf(tenant, '2026-03-04');
    expect(timezone).toBe('Europe/Berlin');
    expect(days).toHaveLength(14);
    expect(days.filter((day: { calls: number }) => day.calls > 0)).toEqual([
      { date: '2026-02-19', calls: 1, missed: 0 },
      { date: '2026-03-03', calls: 1, missed: 0 },
      { date: '2026-03-04', calls: 2, missed: 1 },
    ]);
    const none = { positive: 0, neutral: 0, negative: 0, unknown: 0 };
    expect(weeks).toHaveLength(8);
    expect([weeks[0], weeks[5], weeks[7]]).toEqual([
      { from: '2026-01-12', ...none, positive: 1 },
      { from: '2026-02-16', ...none, neutral: 1 },
      { from: '2026-03-02', ...none, positive: 1, negative: 1, unknown: 1 },
    ]);
  });

  it.each(LOCAL_DAYS)('days are those of %s: %s', async (timezone, date, first, last, after) => {
    const before = new Date(Date.parse(first) - 1_000).toISOString();
    const tenant = await tenantWith(timezone, [before], [first], [last], [after]);
    const { days } = await statisticsOf(tenant, date);
    expect(days.at(-1)).toEqual({ date, calls: 2, missed: 0 });
    expect(days.at(-2).calls).toBe(1);
  });

  it('of a tenant without calls: every day and week, with nothing in it, up to the present one', async () => {
    const tenant = calls.newTenant({ timezone: 'Asia/Kolkata' });
    const now = () => Temporal.Now.plainDateISO('Asia/Kolkata').toString();
    const before = now();
    const { days, weeks } = await statisticsOf(tenant);
    const today = Temporal.PlainDate.from(days.at(-1).date);
    expect([before, now()]).toContain(today.toString());
    expect(days.map(({ date }: { date: string }) => date)).toEqual(
      Array.from({ length: 14 }, (_, index) => today.subtract({ days: 13 - index }).toString()),
    );
    expect(weeks.at(-1).from).toBe(today.subtract({ days: today.dayOfWeek - 1 }).toString());
    for (const { date, from, ...counts } of [...days, ...weeks])
      expect([date ?? from, Object.values(counts).filter((count) => count !== 0)]).toEqual([
        date ?? from,
        [],
      ]);
  });

  it('404 for another tenant’s admin and for a tenant that does not exist, 422 for what is no date', async () => {
    const [own, other] = [calls.newTenant(), calls.newTenant()];
    const admin = { issuer: 'settings-ui', role: 'admin', tenantId: own } as const;
    const get = (caller: typeof admin | typeof operator, url: string) =>
      calls.send('internal', caller, { method: 'GET', url });
    expect((await get(admin, pathOf(own))).status).toBe(200);
    expect((await get(admin, pathOf(other))).status).toBe(404);
    expect((await get(operator, pathOf(2 ** 50))).status).toBe(404);
    expect((await get(admin, pathOf(own, '?date=2026-02-30'))).status).toBe(422);
  });

  it('an index stands behind it, whatever else there is', async () => {
    const tenant = calls.newTenant();
    const client = new Client({ connectionString: calls.config.DATABASE_URL });
    await client.connect();
    try {
      await loadCalls(client, tenant, 20_000);
      await client.query('vacuum analyze calls');
      const readings = await readingsOf(client, 'calls', () => statisticsOf(tenant));
      // The service's workers go on meanwhile.
      expect(readings.filter(({ statement }) => statement === 'calls_by_day')).toEqual([
        { statement: 'calls_by_day', kind: 'custom', index: 'calls_by_start_and_test' },
        { statement: 'calls_by_day', kind: 'generic', index: 'calls_by_start_and_test' },
      ]);
    } finally {
      await client.end();
    }
  });
});

describe('days of from_date and to_date', () => {
  /** Lists the starts of the calls of a tenant with calls that begin at these instants. */
  const listOf = async (timezone: string, starts: readonly string[]) => {
    const tenant = await tenantWith(timezone, ...starts.map((start): [string] => [start]));
    return async (query: Record<string, string>) =>
      (await calls.list(tenant, { sort: 'started_at', ...query })).data.map(
        ({ started_at }: { started_at: string }) => started_at.replace('.000Z', 'Z'),
      );
  };

  it('are the business’s: both ends belong to the range', async () => {
    const starts = [
      '2026-03-01T22:59:59Z',
      '2026-03-01T23:00:00Z',
      '2026-03-02T22:59:59Z',
      '2026-03-02T23:00:00Z',
    ];
    const [before, first, last, after] = starts;
    const list = await listOf('Europe/Berlin', starts);
    expect(await list({ from_date: '2026-03-02', to_date: '2026-03-02' })).toEqual([first, last]);
    expect(await list({ from_date: '2026-03-02' })).toEqual([first, last, after]);
    expect(await list({ to_date: '2026-03-02' })).toEqual([before, first, last]);
    expect(await list({ from_date: '2026-03-03' })).toEqual([after]);
  });

  it.each(LOCAL_DAYS)('hold in %s on %s', async (timezone, date, first, last, after) => {
    const before = new Date(Date.parse(first) - 1_000).toISOString().replace('.000Z', 'Z');
    const list = await listOf(timezone, [before, first, last, after]);
    expect(await list({ from_date: date, to_date: date })).toEqual([first, last]);
  });

  it('may be instants: both ends belong to the range, whatever offset they are written with', async () => {
    const starts = ['2026-03-02T10:00:00Z', '2026-03-02T11:00:00Z', '2026-03-02T12:00:00Z'];
    const list = await listOf('America/New_York', starts);
    const range = { from_date: '2026-03-02T12:00:00+01:00', to_date: '2026-03-02T12:00:00Z' };
    expect(await list(range)).toEqual(starts.slice(1));
    expect(await list({ from_date: '2026-03-02T11:00:00Z', to_date: '2026-03-02T11:00:00Z' })).toEqual([
      starts[1],
    ]);
    expect(await list({ from_date: '2026-03-02', to_date: '2026-03-02T06:00:00-05:00' })).toEqual(
      starts.slice(0, 2),
    );
  });
});
