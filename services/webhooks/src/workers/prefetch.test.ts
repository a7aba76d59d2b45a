import fc from 'fast-check';
import type { Claim } from '../data/queue.repository.ts';
import type { Shares, Taker } from '../domain/concurrency-limits.ts';
import type { HeldBody } from '../domain/prefetch-room.ts';
import { type AttemptEnd, createPrefetch } from './prefetch.ts';

const PLACES: Shares = { total: 40, perTenant: 16, perEndpoint: 5 };
const MIB = 1024 * 1024;
const BODY_BYTES = [2, 3 * MIB];
const heldBody = (): HeldBody => ({ bytes: 2, holders: 0 });
/** By when nobody is slow any more. */
const QUIET_MS = 10_000;

type Step =
  | { kind: 'take' | 'lend'; tenantId: number; nth: number; count: number; body: number }
  | { kind: 'ended'; which: number; how: AttemptEnd }
  | { kind: 'release' | 'givenUp'; which: number }
  | { kind: 'drop'; endpointId: number | undefined }
  | { kind: 'tick'; ms: number };

const nth = fc.nat(2);
const which = fc.nat(99);
const how = fc.constantFrom<AttemptEnd>(
  'delivered',
  'delivered',
  'delivered',
  'delivered',
  'failed',
  'refused',
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ kind: fc.constantFrom('take', 'lend'), tenantId: fc.nat(3), nth },
      ...{ count: fc.integer({ min: 1, max: 90 }), body: fc.nat(BODY_BYTES.length - 1) },
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('ended' as const), which, how }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('release', 'givenUp'), which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ kind: fc.constant('drop' as const), endpointId: fc.constantFrom(0, 1, 10, 11, 20, undefined) },
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('tick' as const), ms: fc.nat(600) }) },
);

/** A process around a prefetch: what is under way, what has a result, what is being given up. */
function startProcess() {
  const underWay: Claim[] = [];
  const results: Claim[] = [];
  const givingUp: (() => void)[] = [];
  const prefetch = createPrefetch({
    places: PLACES,
    start: (claim) => void underWay.push(claim),
    giveUp: () => new Promise((resolve) => givingUp.push(resolve)),
  });
  const pick = <Item>(items: Item[], at: number) => items.splice(at % Math.max(1, items.length), 1)[0];
  const end = (at: number, how: AttemptEnd) => {
    const claim = pick(underWay, at);
    if (!claim) return;
    prefetch.ended(claim, how);
    results.push(claim);
  };
  const release = (at: number) => {
    const claim = pick(results, at);
    if (claim) prefetch.release(claim);
  };
  return {
    ...{ prefetch, underWay },
    async run(next: Step) {
      if (next.kind === 'take' || next.kind === 'lend') {
        const { tenantId, kind, count, body } = next;
        const endpointId = tenantId * 10 + next.nth;
        const held: HeldBody = { bytes: BODY_BYTES[body] as number, holders: 0 };
        const claim = {
          tenant_id: tenantId,
          endpoint_id: endpointId,
          is_lent: kind === 'lend',
          consecutive_failures: 0,
          held,
        } as Claim;
        const claims = Array.from({ length: count }, () => ({ ...claim }));
        prefetch.send(claims.filter(() => prefetch.room[kind]({ tenantId, endpointId }, held)));
      } else if (next.kind === 'ended') end(next.which, next.how);
      else if (next.kind === 'release') release(next.which);
      else if (next.kind === 'givenUp') pick(givingUp, next.which)?.();
      else if (next.kind === 'drop') void prefetch.drop(next.endpointId);
      else if (next.kind === 'tick') {
        jest.advanceTimersByTime(next.ms);
        prefetch.tick();
      }
      await Promise.resolve();
    },
    /** Everything comes to its end. */
    async finish() {
      void prefetch.drop();
      while (underWay.length > 0) end(0, 'delivered');
      while (results.length > 0) release(0);
      for (const resolve of givingUp) resolve();
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
      jest.advanceTimersByTime(QUIET_MS);
      prefetch.tick();
      prefetch.room.refill();
    },
    /** Whether a tenant with a little less than half of all bytes finds room for more, and one with a little more doesn't. */
    hasAllBytes() {
      const { room } = prefetch;
      const findsMoreAfter = (taker: Taker, bytes: number) => {
        const body = { bytes, holders: 0 };
        room.take(taker, body);
        const isFound = room.take(taker, body);
        for (let held = isFound ? 2 : 1; held > 0; held -= 1) room.giveBack(taker, { body, isLent: false });
        return isFound;
      };
      return (
        findsMoreAfter({ tenantId: 98, endpointId: 980 }, 32 * MIB - 1) &&
        !findsMoreAfter({ tenantId: 99, endpointId: 990 }, 32 * MIB + 1)
      );
    },
  };
}

describe('what is prefetched', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('waits only while there is no place for it, and takes no room once all of it is over', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 150, size: 'max' }), async (steps) => {
        const process = startProcess();
        const { prefetch, underWay } = process;
        const free = prefetch.room.free();
        const empty = prefetch.room.forClaim();
        for (const next of steps) {
          await process.run(next);
          expect(prefetch.underWay()).toBe(underWay.length);
          expect(underWay.length).toBeLessThanOrEqual(PLACES.total);
          for (const own of Map.groupBy(underWay, (claim) => claim.endpoint_id).values())
            expect(own.length).toBeLessThanOrEqual(PLACES.perEndpoint);
          // Whatever may start does so here, if it has not before.
          const before = underWay.length;
          prefetch.send([]);
          expect(underWay).toHaveLength(before);
        }
        await process.finish();
        expect(prefetch.underWay()).toBe(0);
        expect(prefetch.room.free()).toBe(free);
        expect(prefetch.room.forClaim()).toEqual(empty);
        expect(prefetch.room.ofEndpoint(10)).toBe(0);
        expect(process.hasAllBytes()).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('starts as soon as an attempt has ended, also where that makes way for more than one', async () => {
    const { prefetch, underWay, run } = startProcess();
    for (const tenantId of [0, 1, 2, 3])
      for (const nth of [0, 1]) await run({ kind: 'take', tenantId, nth, count: 20, body: 0 });
    let mostAtOnce = 0;
    while (underWay.length > 0) {
      const [ended] = underWay.splice(0, 1) as [Claim];
      const before = underWay.length;
      prefetch.ended(ended, 'delivered');
      const after = underWay.length;
      mostAtOnce = Math.max(mostAtOnce, after - before);
      prefetch.send([]);
      expect(underWay).toHaveLength(after);
    }
    expect(mostAtOnce).toBeGreaterThan(1);
  });

  it('goes by how long it has been due, whenever it was claimed', async () => {
    const { prefetch, underWay } = startProcess();
    const claim = (id: number, due_at_ms: number): Claim => {
      const taken = { id, due_at_ms, tenant_id: 1, endpoint_id: 10, held: heldBody() } as Claim;
      expect(prefetch.room.take({ tenantId: 1, endpointId: 10 }, taken.held)).toBe(true);
      return taken;
    };
    prefetch.send([1, 2, 3, 4, 5].map((id) => claim(id, id)));
    prefetch.send([claim(9, 70), claim(8, 60)]);
    prefetch.send([claim(7, 60), claim(6, 80)]);
    const started: number[] = [];
    for (let ended = underWay.shift(); ended; ended = underWay.shift()) {
      started.push(ended.id);
      prefetch.ended(ended, 'delivered');
    }
    expect(started).toEqual([1, 2, 3, 4, 5, 7, 8, 9, 6]);
  });

  it('is given up where three attempts on end have failed, and not where one fails now and then', async () => {
    const { prefetch, underWay, run } = startProcess();
    await run({ kind: 'lend', tenantId: 1, nth: 0, count: 30, body: 0 });
    const end = (how: AttemptEnd) => prefetch.ended(underWay.shift() as Claim, how);
    for (const how of ['failed', 'failed', 'delivered', 'failed', 'failed'] as const) end(how);
    expect(underWay).toHaveLength(PLACES.perEndpoint);
    end('failed');
    expect(underWay).toHaveLength(PLACES.perEndpoint - 1);
    end('delivered');
    expect(underWay).toHaveLength(PLACES.perEndpoint - 2);
  });

  it.each([
    ['one is refused', 'refused', 0],
    ['one fails whose endpoint has failed twice before', 'failed', 2],
  ] as const)('is given up where %s', (_case, how, consecutive_failures) => {
    const { prefetch, underWay } = startProcess();
    const claim = { tenant_id: 1, endpoint_id: 10, held: heldBody(), consecutive_failures } as Claim;
    const claims = Array.from({ length: 8 }, (_, id) => ({ ...claim, id }));
    for (const _claim of claims) prefetch.room.take({ tenantId: 1, endpointId: 10 }, claim.held);
    prefetch.send(claims);
    prefetch.ended(underWay.shift() as Claim, how);
    expect(underWay).toHaveLength(PLACES.perEndpoint - 1);
  });

  it('is never sent once it has waited for two seconds, also where nobody has given it up', async () => {
    const { prefetch, underWay, run } = startProcess();
    await run({ kind: 'take', tenantId: 1, nth: 0, count: 8, body: 0 });
    expect(underWay).toHaveLength(5);
    jest.advanceTimersByTime(2_001);
    prefetch.ended(underWay.splice(0, 1)[0] as Claim, 'delivered');
    expect(underWay).toHaveLength(4);
  });
});
