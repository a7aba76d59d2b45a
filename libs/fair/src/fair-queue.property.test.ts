import fc from 'fast-check';
import { createFairQueue } from './fair-queue.ts';

const HOLDERS = 4;
const settled = () => new Promise(setImmediate);
const holderIn = fc.integer({ min: 0, max: HOLDERS - 1 });
const boundIn = fc.constantFrom(1, 2, 3, Number.POSITIVE_INFINITY);

interface Waiting {
  holder: number;
  name: number;
}

/** The slow model: one list of all that wait, looked through from its beginning for each place. */
function model({ places, perHolder, privileged }: { places: number; perHolder: number; privileged: number }) {
  let waiting: Waiting[] = [];
  const held: number[] = Array(HOLDERS).fill(0);
  const begun: Waiting[] = [];
  /** Holder → since when it waits for its turn. */
  const since: number[] = Array(HOLDERS).fill(0);
  let clock = 0;
  const heldIn = (holder: number) => held[holder] as number;
  const isWaiting = (holder: number) => waiting.some((one) => one.holder === holder);
  const taken = () => held.reduce((sum, one) => sum + one, 0);
  const mayTake = (holder: number) => taken() < places && heldIn(holder) < perHolder;
  const counted = (holder: number) => (holder === privileged ? 0 : heldIn(holder));
  const begin = (one: Waiting) => {
    held[one.holder] = heldIn(one.holder) + 1;
    begun.push(one);
  };
  const serve = () => {
    for (;;) {
      const [holder] = [...Array(HOLDERS).keys()]
        .filter((one) => isWaiting(one) && mayTake(one))
        .sort((a, b) => counted(a) - counted(b) || (since[a] as number) - (since[b] as number));
      if (holder === undefined) return;
      const first = waiting.find((one) => one.holder === holder) as Waiting;
      waiting = waiting.filter((one) => one !== first);
      since[holder] = ++clock;
      begin(first);
    }
  };
  return {
    begun,
    heldIn,
    taken,
    mayTake,
    isWaiting,
    serve,
    waiting: () => waiting,
    take(one: Waiting) {
      serve();
      if (!mayTake(one.holder)) return false;
      begin(one);
      return true;
    },
    wait(one: Waiting) {
      if (!isWaiting(one.holder)) since[one.holder] = ++clock;
      waiting.push(one);
    },
    leave(one: Waiting) {
      waiting = waiting.filter((other) => other !== one);
    },
    giveBack(one: Waiting) {
      held[one.holder] = heldIn(one.holder) - 1;
      begun.splice(begun.indexOf(one), 1);
    },
  };
}

type Step =
  | { does: 'take' | 'enter'; holder: number }
  | { does: 'leave' | 'give back'; which: number }
  | { does: 'settle' };

const stepIn: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constantFrom('take' as const, 'enter' as const), holder: holderIn }),
  fc.record({ does: fc.constantFrom('leave' as const, 'give back' as const), which: fc.nat() }),
  fc.constant({ does: 'settle' as const }),
);

it('places go to whom the model gives them, in its order, whatever is taken, waited for, given up and given back', async () => {
  const setting = fc.record({
    places: boundIn,
    perHolder: boundIn,
    privileged: fc.integer({ min: 0, max: 9 }),
  });
  const property = fc.asyncProperty(setting, fc.array(stepIn, { maxLength: 60 }), async (options, steps) => {
    const { places, perHolder, privileged } = options;
    const queue = createFairQueue<number>({
      places,
      perHolder,
      isPrivileged: (holder) => holder === privileged,
    });
    const slow = model(options);
    const begun: Waiting[] = [];
    const begins = new Map<Waiting, () => void>();
    let name = 0;
    for (const step of [...steps, { does: 'settle' } as const]) {
      if (step.does === 'settle') {
        await settled();
        slow.serve();
      } else if ('holder' in step) {
        const one = { holder: step.holder, name: ++name };
        const isTaken = slow.take(one);
        if (step.does === 'take') {
          expect(queue.take(one.holder)).toBe(isTaken);
          if (isTaken) begun.push(one);
        } else {
          begins.set(one, () => begun.push(one));
          queue.enter(one.holder, begins.get(one) as () => void);
          if (!isTaken) slow.wait(one);
        }
      } else if (step.does === 'leave') {
        const all = [...begins.keys()];
        const one = all[step.which % all.length];
        if (!one) continue;
        const waits = slow.waiting().includes(one);
        expect(queue.leave(one.holder, begins.get(one) as () => void)).toBe(waits);
        slow.leave(one);
      } else {
        const one = slow.begun[step.which % slow.begun.length];
        if (!one) continue;
        slow.giveBack(one);
        begun.splice(begun.indexOf(one), 1);
        queue.giveBack(one.holder);
      }
      expect(begun).toEqual(slow.begun);
      expect([queue.taken(), queue.waiting()]).toEqual([slow.taken(), slow.waiting().length]);
      for (let holder = 0; holder < HOLDERS; holder += 1)
        expect(queue.heldBy(holder)).toBe(slow.heldIn(holder));
    }
    // Nobody waits who might begin.
    expect(slow.waiting().filter(({ holder }) => slow.mayTake(holder))).toEqual([]);
  });
  await fc.assert(property, { numRuns: 500 });
});
