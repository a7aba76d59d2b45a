import type { SnapshotEntry } from '@frontdesk/contracts';
import { createDeadLetters, projectionState, projectionsBaseline } from '@frontdesk/database';
import { createRefill } from '@frontdesk/events';
import { createMetrics, ImpossibleRecordError } from '@frontdesk/service';
import { eventually } from '../../support/index.ts';
import { logger, openDatabase } from './database-world.ts';

let world: Awaited<ReturnType<typeof openDatabase>>;
beforeEach(async () => {
  world = await openDatabase({ more: [projectionsBaseline] });
});
afterEach(() => world.close());

/** A fill whose snapshots are empty; `hold` keeps them from coming. */
function startRefill(
  entries: SnapshotEntry<object>[] = [],
  apply: (entries: SnapshotEntry<object>[]) => Promise<void> = async () => {},
) {
  let held: Promise<void> = Promise.resolve();
  let snapshots = 0;
  const state = projectionState(world.database, 'things');
  const refill = createRefill({
    name: 'things',
    state,
    logger,
    async fetchPage() {
      snapshots += 1;
      await held;
      return entries;
    },
    apply,
    deadLetters: createDeadLetters({ database: world.database, metrics: createMetrics() }),
  });
  return {
    refill,
    state,
    snapshots: () => snapshots,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
  };
}

it('fills once, and again where something was found missing', async () => {
  const { refill, state, snapshots } = startRefill();
  await refill.start();
  await eventually(async () => expect([await state.reasonToFill(), snapshots()]).toEqual([null, 1]));
  await refill.again();
  await eventually(async () => expect([await state.reasonToFill(), snapshots()]).toEqual([null, 2]));
  await refill.stop();
});

it.each(['this process', 'another'])(
  'fills again for what %s found missing while it was filling',
  async (finder) => {
    const { refill, state, snapshots, hold } = startRefill();
    const other = startRefill();
    const release = hold();
    await refill.start();
    await eventually(() => expect(snapshots()).toBe(1));
    await (finder === 'another' ? other : { refill }).refill.again();
    release();
    if (finder === 'another') {
      // Its fill is written down by then.
      await refill.stop();
      expect(await state.reasonToFill()).not.toBeNull();
      await other.refill.start();
    }
    await eventually(async () => {
      expect(await state.reasonToFill()).toBeNull();
      expect(snapshots() + other.snapshots()).toBe(2);
    });
    await Promise.all([refill.stop(), other.refill.stop()]);
  },
);

it('what the projection can never hold is left out, and nothing else', async () => {
  const entryOf = (id: number): SnapshotEntry<object> => ({
    tenant_id: 7,
    aggregate_id: id,
    aggregate_version: 1,
    data: {},
  });
  const taken = new Set<number>();
  let failures = 1;
  const { refill, state } = startRefill([1, 2, 3, 4, 5, 6, 7].map(entryOf), async (entries) => {
    failures -= 1;
    if (failures === 0) throw new Error('away');
    for (const { aggregate_id } of entries) {
      if (aggregate_id === 4) throw new ImpossibleRecordError('its price is no amount');
      taken.add(aggregate_id);
    }
  });
  await refill.start();
  await eventually(async () => expect(await state.reasonToFill()).toBeNull());
  await refill.stop();
  expect([...taken].sort((one, other) => one - other)).toEqual([1, 2, 3, 5, 6, 7]);
});

it('nothing is taken for filled while all of a snapshot is refused', async () => {
  const entry: SnapshotEntry<object> = { tenant_id: 7, aggregate_id: 1, aggregate_version: 1, data: {} };
  let isBroken = true;
  const taken: number[] = [];
  const { refill, state, snapshots } = startRefill([entry], async (entries) => {
    if (isBroken) throw new ImpossibleRecordError('a release gets it wrong');
    taken.push(...entries.map(({ aggregate_id }) => aggregate_id));
  });
  await refill.start();
  await eventually(() => expect(snapshots()).toBeGreaterThan(1));
  expect(await state.reasonToFill()).not.toBeNull();
  isBroken = false;
  await eventually(async () => expect([await state.reasonToFill(), taken]).toEqual([null, [1]]));
  await refill.stop();
});
