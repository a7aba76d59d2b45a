import fc from 'fast-check';
import type { Claim } from '../data/queue.repository.ts';
import type { HeldBody } from '../domain/lease.ts';
import type { Limits, Taker } from '../state/concurrency-limits.ts';
import { createLeaseLimits } from '../state/lease-limits.ts';
import { type AttemptEnd, createDispatcher, takerOf } from './dispatcher.ts';

const LIMITS: Limits = { total: 40, perTenant: 16, perEndpoint: 5 };
const MIB = 1024 * 1024;
const BODY_BYTES = [2, 3 * MIB];
const heldBody = (): HeldBody => ({ bytes: 2, holders: 0 });

type Step =
  | { kind: 'claim' | 'preLease'; tenantId: number; nth: number; count: number; body: number }
  | { kind: 'ended'; which: number; how: AttemptEnd }
  | { kind: 'release' | 'givenUp'; which: number }
  | { kind: 'drop'; endpointId: number | undefined }
  | { kind: 'tick'; ms: number };

const nth = fc.nat(2);
const which = fc.nat(99);
const DELIVERED = Array<AttemptEnd>(4).fill('delivered');
const how = fc.constantFrom<AttemptEnd>(...DELIVERED, 'failed', 'gone', 'unsent');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ kind: fc.constantFrom('claim', 'preLease'), tenantId: fc.nat(3), nth },
      ...{ count: fc.integer({ min: 1, max: 90 }), body: fc.nat(BODY_BYTES.length - 1) },
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('ended' as const), which, how }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('release', 'givenUp'), which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ kind: fc.constant('drop' as const), endpointId: fc.constantFrom(0, 1, 10, 11, 20, undefined) },
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('tick' as const), ms: fc.nat(600) }) },
);

/** A process around a dispatcher: what is in flight, what has a result, what is being given up. */
function startProcess() {
  const inFlight: Claim[] = [];
  const results: Claim[] = [];
  const givenUp: Claim[] = [];
  const leases = createLeaseLimits(LIMITS);
  const giveBack = (claim: Claim) => leases.giveBack(takerOf(claim), claim.held);
  const dispatcher = createDispatcher({
    limits: LIMITS,
    start: (claim) => void inFlight.push(claim),
    giveUp: (claims) => void givenUp.push(...claims),
    holdBack: leases.holdBack,
  });
  const pick = <Item>(items: Item[], at: number) => items.splice(at % Math.max(1, items.length), 1)[0];
  const end = (at: number, how: AttemptEnd) => {
    const claim = pick(inFlight, at);
    if (!claim) return;
    dispatcher.ended(claim, how);
    results.push(claim);
  };
  const release = (at: number) => {
    const claim = pick(results, at);
    if (claim) giveBack(claim);
  };
  return {
    ...{ dispatcher, leases, inFlight, givenUp },
    run(next: Step) {
      if (next.kind === 'claim' || next.kind === 'preLease') {
        const { tenantId, kind, count, body } = next;
        const endpointId = tenantId * 10 + next.nth;
        const held: HeldBody = { bytes: BODY_BYTES[body] as number, holders: 0 };
        const claim = { tenant_id: tenantId, endpoint_id: endpointId, consecutive_failures: 0, held };
        const claims = Array.from({ length: count }, () => ({ ...claim }) as Claim);
        dispatcher.send(claims.filter(() => leases[kind]({ tenantId, endpointId }, held)));
      } else if (next.kind === 'ended') end(next.which, next.how);
      else if (next.kind === 'release') release(next.which);
      else if (next.kind === 'givenUp') {
        const claim = pick(givenUp, next.which);
        if (claim) giveBack(claim);
      } else if (next.kind === 'drop') dispatcher.drop(next.endpointId);
      else if (next.kind === 'tick') {
        jest.advanceTimersByTime(next.ms);
        dispatcher.giveUpOverdue();
      }
    },
    /** Everything comes to its end, and a claim finds nothing more. */
    finish() {
      dispatcher.drop();
      while (inFlight.length > 0) end(0, 'delivered');
      while (results.length > 0) release(0);
      givenUp.forEach(giveBack);
      leases.noteClaimed(leases.forClaim(), [], () => true);
    },
    /** Whether a tenant with a little less than half of all bytes gets more, and one with a little more doesn't. */
    hasAllBytes() {
      const findsMoreAfter = (taker: Taker, bytes: number) => {
        const body = { bytes, holders: 0 };
        leases.claim(taker, body);
        const isFound = leases.claim(taker, body);
        for (let held = isFound ? 2 : 1; held > 0; held -= 1) leases.giveBack(taker, body);
        return isFound;
      };
      return (
        findsMoreAfter({ tenantId: 98, endpointId: 980 }, 32 * MIB - 1) &&
        !findsMoreAfter({ tenantId: 99, endpointId: 990 }, 32 * MIB + 1)
      );
    },
  };
}

describe('what is leased', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('waits only while the limits make it, and counts no more once all of it is over', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150, size: 'max' }), (steps) => {
        const process = startProcess();
        const { dispatcher, leases, inFlight } = process;
        const free = leases.free();
        const empty = leases.forClaim();
        for (const next of steps) {
          process.run(next);
          expect(dispatcher.inFlight()).toBe(inFlight.length);
          expect(inFlight.length).toBeLessThanOrEqual(LIMITS.total);
          for (const own of Map.groupBy(inFlight, (claim) => claim.endpoint_id).values())
            expect(own.length).toBeLessThanOrEqual(LIMITS.perEndpoint);
          // Whatever may start does so here, if it has not before.
          const before = inFlight.length;
          dispatcher.send([]);
          expect(inFlight).toHaveLength(before);
        }
        process.finish();
        expect(dispatcher.inFlight()).toBe(0);
        expect(leases.free()).toBe(free);
        expect(leases.forClaim()).toEqual(empty);
        expect(leases.ofEndpoint(10)).toBe(0);
        expect(process.hasAllBytes()).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('starts as soon as an attempt has ended, also where that makes way for more than one', () => {
    const { dispatcher, inFlight, run } = startProcess();
    for (const tenantId of [0, 1, 2, 3])
      for (const nth of [0, 1]) run({ kind: 'claim', tenantId, nth, count: 20, body: 0 });
    let mostAtOnce = 0;
    while (inFlight.length > 0) {
      const [ended] = inFlight.splice(0, 1) as [Claim];
      const before = inFlight.length;
      dispatcher.ended(ended, 'delivered');
      const after = inFlight.length;
      mostAtOnce = Math.max(mostAtOnce, after - before);
      dispatcher.send([]);
      expect(inFlight).toHaveLength(after);
    }
    expect(mostAtOnce).toBeGreaterThan(1);
  });

  it('goes by how long it has been due, whenever it was claimed', () => {
    const { dispatcher, leases, inFlight } = startProcess();
    const claim = (id: number, due_at_ms: number): Claim => {
      const taken = { id, due_at_ms, tenant_id: 1, endpoint_id: 10, held: heldBody() } as Claim;
      expect(leases.claim({ tenantId: 1, endpointId: 10 }, taken.held)).toBe(true);
      return taken;
    };
    dispatcher.send([1, 2, 3, 4, 5].map((id) => claim(id, id)));
    dispatcher.send([claim(9, 70), claim(8, 60)]);
    dispatcher.send([claim(7, 60), claim(6, 80)]);
    const started: number[] = [];
    for (let ended = inFlight.shift(); ended; ended = inFlight.shift()) {
      started.push(ended.id);
      dispatcher.ended(ended, 'delivered');
    }
    expect(started).toEqual([1, 2, 3, 4, 5, 7, 8, 9, 6]);
  });

  /** How much of its endpoint may be claimed once all that was leased of it is over. */
  const claimableAfter = ({ inFlight, givenUp, leases }: ReturnType<typeof startProcess>) => {
    const taker = { tenantId: 1, endpointId: 10 };
    for (const { held } of [...inFlight, ...givenUp]) leases.giveBack(taker, held);
    let claimable = 0;
    while (leases.claim(taker, heldBody())) claimable += 1;
    return claimable;
  };

  it('is given up once it has waited for a second, and its endpoint is held back', () => {
    const process = startProcess();
    process.run({ kind: 'preLease', tenantId: 1, nth: 0, count: 30, body: 0 });
    process.run({ kind: 'tick', ms: 1_000 });
    expect(process.givenUp).toEqual([]);
    process.run({ kind: 'tick', ms: 1 });
    expect(process.givenUp).toHaveLength(30 - LIMITS.perEndpoint);
    expect(claimableAfter(process)).toBe(2 * LIMITS.perEndpoint);
  });

  it('is given up where its endpoint fails, and that is held back', () => {
    const process = startProcess();
    process.run({ kind: 'preLease', tenantId: 1, nth: 0, count: 30, body: 0 });
    for (let nth = 0; nth < 3; nth += 1) {
      process.run({ kind: 'ended', which: 0, how: 'failed' });
      process.run({ kind: 'release', which: 0 });
    }
    expect(process.givenUp.length).toBeGreaterThan(0);
    expect(claimableAfter(process)).toBe(LIMITS.perEndpoint);
  });

  it('is given up where three attempts on end have failed, and not where one fails now and then', () => {
    const { dispatcher, inFlight, run } = startProcess();
    run({ kind: 'preLease', tenantId: 1, nth: 0, count: 30, body: 0 });
    const end = (how: AttemptEnd) => dispatcher.ended(inFlight.shift() as Claim, how);
    for (const how of ['failed', 'failed', 'delivered', 'failed', 'failed'] as const) end(how);
    expect(inFlight).toHaveLength(LIMITS.perEndpoint);
    end('failed');
    expect(inFlight).toHaveLength(LIMITS.perEndpoint - 1);
    end('delivered');
    expect(inFlight).toHaveLength(LIMITS.perEndpoint - 2);
  });

  it.each([
    ['its endpoint is gone', 'gone', 0],
    ['one fails whose endpoint has failed twice before', 'failed', 2],
  ] as const)('is given up where %s', (_case, how, consecutive_failures) => {
    const { dispatcher, leases, inFlight } = startProcess();
    const claim = { tenant_id: 1, endpoint_id: 10, held: heldBody(), consecutive_failures } as Claim;
    const claims = Array.from({ length: 8 }, (_, id) => ({ ...claim, id }));
    for (const _claim of claims) leases.claim({ tenantId: 1, endpointId: 10 }, claim.held);
    dispatcher.send(claims);
    dispatcher.ended(inFlight.shift() as Claim, how);
    expect(inFlight).toHaveLength(LIMITS.perEndpoint - 1);
  });

  it('is never sent once it has waited for two seconds, also where nobody has given it up', () => {
    const { dispatcher, inFlight, run } = startProcess();
    run({ kind: 'claim', tenantId: 1, nth: 0, count: 8, body: 0 });
    expect(inFlight).toHaveLength(5);
    jest.advanceTimersByTime(2_001);
    dispatcher.ended(inFlight.splice(0, 1)[0] as Claim, 'delivered');
    expect(inFlight).toHaveLength(4);
  });
});
