import { type CallsWorld, startCalls } from './calls-world.ts';
import { genericCall } from './sample-calls.ts';
import { genericMessage } from './signed-messages.ts';

describe('days of from_date and to_date', () => {
  let calls: CallsWorld;
  beforeAll(async () => {
    calls = await startCalls();
  });
  afterAll(() => calls.stop());

  /** A tenant with calls that begin at these instants. */
  const tenantWith = async (timezone: string, starts: string[]) => {
    const tenant = calls.newTenant({ timezone });
    const source = await calls.newSource(tenant);
    for (const started_at of starts) {
      const ended_at = new Date(Date.parse(started_at) + 60_000).toISOString();
      await calls.ingest(source, genericMessage(genericCall({ started_at, ended_at }), source));
    }
    await calls.settled(tenant);
    return async (query: Record<string, string>) =>
      (await calls.list(tenant, { sort: 'started_at', ...query })).data.map(
        ({ started_at }: { started_at: string }) => started_at.replace('.000Z', 'Z'),
      );
  };

  it('are the business’s: both ends belong to the range', async () => {
    const [before, first, last, after] = [
      '2026-03-01T22:59:59Z',
      '2026-03-01T23:00:00Z',
      '2026-03-02T22:59:59Z',
      '2026-03-02T23:00:00Z',
    ];
    const starts = [before, first, last, after];
    const list = await tenantWith('Europe/Berlin', starts as string[]);
    expect(await list({ from_date: '2026-03-02', to_date: '2026-03-02' })).toEqual([first, last]);
    expect(await list({ from_date: '2026-03-02' })).toEqual([first, last, after]);
    expect(await list({ to_date: '2026-03-02' })).toEqual([before, first, last]);
    expect(await list({ from_date: '2026-03-03' })).toEqual([after]);
  });

  it.each([
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', '2026-03-29T22:00:00Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z', '2026-10-25T23:00:00Z'],
    // Clocks go from 00:00 to 01:00: the day has no midnight.
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00Z', '2026-03-29T20:59:59Z', '2026-03-29T21:00:00Z'],
    [
      'Pacific/Kiritimati',
      '2026-06-01',
      '2026-05-31T10:00:00Z',
      '2026-06-01T09:59:59Z',
      '2026-06-01T10:00:00Z',
    ],
  ])('hold in %s on %s', async (timezone, date, first, last, after) => {
    const before = new Date(Date.parse(first) - 1_000).toISOString().replace('.000Z', 'Z');
    const list = await tenantWith(timezone, [before, first, last, after]);
    expect(await list({ from_date: date, to_date: date })).toEqual([first, last]);
  });

  it('may be instants: both ends belong to the range, whatever offset they are written with', async () => {
    const starts = ['2026-03-02T10:00:00Z', '2026-03-02T11:00:00Z', '2026-03-02T12:00:00Z'];
    const list = await tenantWith('America/New_York', starts);
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
