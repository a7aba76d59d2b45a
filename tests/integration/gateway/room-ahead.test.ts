import { AHEAD_MS, createSharedLimiter, type RateWindow, rateCounter } from '@frontdesk/redis';
import { createLogger } from '@frontdesk/service';
import { Redis } from 'ioredis';
import { createRoomAhead } from '../../../services/gateway/src/domain/room-ahead.ts';
import { createLimiter } from '../../../services/gateway/src/use-cases/limit-request.ts';
import { createRoomAheadWorker } from '../../../services/gateway/src/workers/room-ahead.worker.ts';
import { engines, eventually, uniqueTenantId } from '../../support/index.ts';

// Longer than any test: room ends when the test says so.
jest.mock('../../../libs/redis/src/grants.ts', () => ({
  AHEAD_MS: 600_000,
  AHEAD_RETURN_MS: 300_000,
  AHEAD_TOLD_MS: 900_000,
}));

const logger = createLogger({ name: 'test', level: 'silent' });
const redis = new Redis(engines().redisUrl, { lazyConnect: true });
beforeAll(() => redis.connect());
afterAll(() => redis.disconnect());

const LIMIT = 400;
/** No test sees the end of its windows, whenever it runs. */
const ENDLESS_SECONDS = 10 ** 10;
const WINDOWS: RateWindow[] = [
  { name: 'short', seconds: ENDLESS_SECONDS, limit: LIMIT },
  { name: 'long', seconds: 2 * ENDLESS_SECONDS, limit: 10_000 },
];
const newSubject = () => `ahead:${uniqueTenantId()}`;
const usedOf = (subject: string) =>
  Promise.all(
    WINDOWS.map(async (window) => Number(await redis.get(rateCounter(subject, window, Date.now())))),
  );
const heldOf = async (subject: string) => Number(await redis.get(`rate:{${subject}}:short:ahead`));

/** A limiter as one gateway has it; its periods end, and all that it holds with them, when the test says so. */
function startLimiter() {
  const shared = createSharedLimiter(redis);
  const roomAhead = createRoomAhead({ periodMs: AHEAD_MS });
  const limiter = createLimiter({ shared, roomAhead, timeoutMs: 5_000, replicas: 2, logger });
  const worker = createRoomAheadWorker({ roomAhead, shared });
  const endPeriodAndGiveBack = async () => {
    roomAhead.endPeriod();
    await worker.stop?.();
  };
  const take = async (subject: string, count: number) => {
    const decisions = await Promise.all(Array.from({ length: count }, () => limiter.take(subject, WINDOWS)));
    return decisions.filter(({ allowed }) => allowed).length;
  };
  /** Asks often enough to get room ahead, and holds it. @returns how many requests that took */
  const hold = async (subject: string) => {
    await take(subject, 8);
    await endPeriodAndGiveBack();
    await take(subject, 1);
    expect(await heldOf(subject)).toBe(8);
    return 9;
  };
  return { limiter, shared, take, hold, endPeriodAndGiveBack };
}

it('room ahead is a small part of what is left, counts as used, and what is unused is given back', async () => {
  const { shared } = startLimiter();
  const subject = newSubject();
  const first = await shared(subject, WINDOWS, 80, { wanted: 50, ended: null });
  // One for each 16 of the 320 that are left.
  expect(first).toMatchObject({ granted: 80, ahead: 20, used: [0, 0], isHeldElsewhere: false });
  expect([await usedOf(subject), await heldOf(subject)]).toEqual([[100, 100], 20]);
  const ended = { granted: 20, unused: 5, grantedAtMs: first.nowMs };
  const next = await shared(subject, WINDOWS, 1, { wanted: 3, ended });
  expect(next).toMatchObject({ granted: 1, ahead: 3, used: [95, 95] });
  expect([await usedOf(subject), await heldOf(subject)]).toEqual([[99, 99], 3]);
  expect(await redis.pttl(`rate:{${subject}}:short:ahead`)).toBeGreaterThan(AHEAD_MS);
});

it('whoever is refused while others hold room hears of it', async () => {
  const { shared } = startLimiter();
  const subject = newSubject();
  const first = await shared(subject, WINDOWS, 1, { wanted: 10, ended: null });
  expect(await shared(subject, WINDOWS, LIMIT)).toMatchObject({ granted: 389, isHeldElsewhere: true });
  await shared(subject, WINDOWS, 0, {
    wanted: 0,
    ended: { granted: 10, unused: 10, grantedAtMs: first.nowMs },
  });
  expect(await shared(subject, WINDOWS, 11)).toMatchObject({ granted: 10, isHeldElsewhere: false });
});

it('giving back what Redis has lost, or of a window that is over, makes no counter negative, and takes nothing from others', async () => {
  const { shared } = startLimiter();
  const subject = newSubject();
  const { nowMs } = await shared(subject, WINDOWS, 5, { wanted: 10, ended: null });
  // Of before: by now neither its windows nor what was told of it are there.
  const ended = { granted: 10, unused: 10, grantedAtMs: nowMs - 2_000 * ENDLESS_SECONDS };
  expect(await shared(subject, WINDOWS, 0, { wanted: 0, ended })).toMatchObject({ used: [15, 15] });
  expect(await heldOf(subject)).toBe(10);

  const lost = await shared(subject, WINDOWS, 1, { wanted: 10, ended: null });
  await redis.del(...(await redis.keys(`rate:{${subject}}:*`)));
  await shared(subject, WINDOWS, 3);
  await shared(subject, WINDOWS, 0, { wanted: 0, ended: { ...ended, grantedAtMs: lost.nowMs } });
  expect(await usedOf(subject)).toEqual([0, 0]);
  expect(await heldOf(subject)).toBe(0);
});

it('nobody is refused while another gateway holds room that it doesn’t use, and no more than the limit get through', async () => {
  const [one, other] = [startLimiter(), startLimiter()];
  const subject = newSubject();
  const used = await one.hold(subject);
  const rest = other.take(subject, LIMIT - used);
  // All that nobody holds is taken, and eight still wait.
  await eventually(async () => expect((await usedOf(subject))[0]).toBe(LIMIT));
  await one.endPeriodAndGiveBack();
  expect(await rest).toBe(LIMIT - used);
  expect(await Promise.all([one.take(subject, 5), other.take(subject, 5)])).toEqual([0, 0]);
  expect(await usedOf(subject)).toEqual([LIMIT, LIMIT]);
});

it('what a gateway holds is its own to use up, also when nothing else is left', async () => {
  const [one, other] = [startLimiter(), startLimiter()];
  const subject = newSubject();
  const used = await one.hold(subject);
  const rest = other.take(subject, LIMIT - used);
  await eventually(async () => expect((await usedOf(subject))[0]).toBe(LIMIT));
  expect(await one.take(subject, 8)).toBe(8);
  await one.endPeriodAndGiveBack();
  expect(await rest).toBe(LIMIT - used - 8);
});

it('room that comes after its request has gone on without it is given back', async () => {
  const shared = createSharedLimiter(redis);
  const roomAhead = createRoomAhead({ periodMs: AHEAD_MS });
  const late = Promise.withResolvers<void>();
  const limiter = createLimiter({
    ...{ roomAhead, timeoutMs: 20, replicas: 2, logger },
    shared: async (...asked) => {
      const grant = await shared(...asked);
      if (grant.ahead > 0) await late.promise;
      return grant;
    },
  });
  const subject = newSubject();
  for (let n = 0; n < 8; n += 1) roomAhead.use(subject, WINDOWS);
  roomAhead.endPeriod();
  expect((await limiter.take(subject, WINDOWS)).scope).toBe('local');
  await eventually(async () => expect([await usedOf(subject), await heldOf(subject)]).toEqual([[9, 9], 8]));
  late.resolve();
  await eventually(async () => expect([await usedOf(subject), await heldOf(subject)]).toEqual([[1, 1], 0]));
});

it('what has been used is told without what is held here', async () => {
  const { limiter, hold } = startLimiter();
  const subject = newSubject();
  const used = await hold(subject);
  expect(await limiter.read(subject, WINDOWS)).toMatchObject({ used: [used, used] });
});
