import { projectionState, projectionsMigration } from '@frontdesk/database';
import { createRefill } from '@frontdesk/events';
import { eventually } from '../../support/index.ts';
import { logger, openDatabase } from './database-world.ts';

let world: Awaited<ReturnType<typeof openDatabase>>;
beforeEach(async () => {
  world = await openDatabase({ more: [projectionsMigration] });
});
afterEach(() => world.close());

/** A fill whose snapshots are empty; `hold` keeps them from coming. */
function startRefill() {
  let held: Promise<void> = Promise.resolve();
  let snapshots = 0;
  const state = projectionState(world.database, 'things');
  const refill = createRefill({
    ...{ name: 'things', state, logger },
    async fetchPage() {
      snapshots += 1;
      await held;
      return [];
    },
    apply: async () => {},
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
  await eventually(async () => expect([await state.lack(), snapshots()]).toEqual([null, 1]));
  await refill.again();
  await eventually(async () => expect([await state.lack(), snapshots()]).toEqual([null, 2]));
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
      await eventually(async () => expect(await state.lack()).not.toBeNull());
      await other.refill.start();
    }
    await eventually(async () => {
      expect(await state.lack()).toBeNull();
      expect(snapshots() + other.snapshots()).toBe(2);
    });
    await Promise.all([refill.stop(), other.refill.stop()]);
  },
);
