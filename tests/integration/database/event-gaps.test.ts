import { createConsumerProgress } from '@frontdesk/database';
import { createApp, createMetrics, type EventGap } from '@frontdesk/service';
import { eventGapRoutes } from '@frontdesk/wiring';
import { logger, openDatabase } from './database-world.ts';

describe('what consumers remember', () => {
  let world: Awaited<ReturnType<typeof openDatabase>>;
  let progress: ReturnType<typeof createConsumerProgress>;
  beforeEach(async () => {
    world = await openDatabase();
    progress = createConsumerProgress(world.database);
  });
  afterEach(() => world.close());

  const at = { topic: 'customers', partition: 2 };
  const day = (number: number) => new Date(Date.UTC(2026, 2, number));
  const gap: EventGap = {
    ...at,
    fromOffset: '5',
    toOffset: '8',
    since: day(1),
    until: day(3),
    isRefilled: false,
  };

  it('is how far each group is, and when what it applied last occurred', async () => {
    await progress.save('readers', [{ ...at, offset: '5', occurredAt: day(1) }]);
    // What it could not read tells no time.
    await progress.save('readers', [
      { ...at, offset: '6', occurredAt: null },
      { topic: 'calls', partition: 0, offset: '1', occurredAt: null },
    ]);
    expect(await progress.load('readers')).toEqual(
      expect.arrayContaining([
        { ...at, offset: '6', occurredAt: day(1) },
        { topic: 'calls', partition: 0, offset: '1', occurredAt: null },
      ]),
    );
    expect(await progress.load('others')).toEqual([]);
  });

  it.each([gap, { ...gap, fromOffset: null, since: null }])(
    'is a gap once, whichever process finds it, and moves the group behind it (%#)',
    async (found) => {
      const news = await Promise.all([0, 1, 2].map(() => progress.recordGap('readers', found)));
      expect(news.filter((isNew) => isNew)).toHaveLength(1);
      expect(await progress.load('readers')).toEqual([{ ...at, offset: '8', occurredAt: day(3) }]);
      // The same offsets of a topic that was made anew.
      expect(await progress.recordGap('readers', { ...found, since: day(2) })).toBe(true);
    },
  );

  it('is listed, the gap found last first', async () => {
    await progress.recordGap('readers', gap);
    await progress.recordGap('readers', { ...gap, fromOffset: '9', toOffset: '0', isRefilled: true });
    const app = createApp({ logger, metrics: createMetrics() });
    eventGapRoutes(app, world);
    const page = async (number: number) =>
      (await app.inject(`/internal/event-gaps?per_page=1&page=${number}`)).json();
    expect(await page(1)).toMatchObject({
      data: [{ consumer: 'readers', from_offset: 9, to_offset: 0, missing: null, is_refilled: true }],
      meta: { total: 2 },
    });
    expect((await page(2)).data).toEqual([
      {
        ...at,
        id: 1,
        consumer: 'readers',
        from_offset: 5,
        to_offset: 8,
        missing: 3,
        is_refilled: false,
        since: day(1).toISOString(),
        until: day(3).toISOString(),
        found_at: expect.any(String),
      },
    ]);
    await app.close();
  });
});
