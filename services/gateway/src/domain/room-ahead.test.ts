import { AHEAD_MS, type RateWindow } from '@frontdesk/redis';
import { PLAN_WINDOWS } from './rate-limit.ts';
import { createRoomAhead } from './room-ahead.ts';

const windows = PLAN_WINDOWS.enterprise;
/** How long an answer takes. */
const ANSWER_MS = 50;
/** Twenty seconds into a minute, by Redis's clock. */
const GRANTED_MS = Date.parse('2026-03-02T10:00:20Z');

function startRoom() {
  let nowMs = 5_000;
  const room = createRoomAhead({ periodMs: AHEAD_MS, now: () => nowMs });
  return {
    room,
    pass: (ms: number) => {
      nowMs += ms;
    },
    /** So many requests that each had to ask. */
    askFor(count: number) {
      for (let n = 0; n < count; n += 1) room.use('a', windows);
    },
    /** One that asks, with 100 used before, and what is granted ahead of the next. */
    grant(ahead: number, grantedMs = GRANTED_MS) {
      room.use('a', windows);
      const asking = room.ask('a', 1);
      nowMs += ANSWER_MS;
      const grant = { granted: 1, ahead, used: [100, 200], nowMs: grantedMs, isHeldElsewhere: false };
      asking.granted(windows, grant);
      return asking;
    },
  };
}

const remainingOf = (room: ReturnType<typeof createRoomAhead>, of: readonly RateWindow[] = windows) =>
  room.use('a', of)?.windows.map(({ remaining }) => remaining) ?? null;

it('as much is asked for ahead as came in the period before, by those who ask often', () => {
  const { room, askFor } = startRoom();
  askFor(3);
  room.endPeriod();
  expect(room.ask('a', 1).wanted).toBe(0);
  askFor(4);
  expect(room.ask('a', 1).wanted).toBe(0);
  room.endPeriod();
  expect([room.ask('a', 0).wanted, room.ask('b', 1).wanted]).toEqual([0, 0]);
  const first = room.ask('a', 1);
  // One at a time: what the first brings will do for the next.
  expect([first.wanted, room.ask('a', 1).wanted]).toEqual([4, 0]);
  first.failed();
  expect(room.ask('a', 1).wanted).toBe(4);
  room.endPeriod();
  expect(room.ask('a', 1).wanted).toBe(0);
});

it('each place is used once, with the numbers it would have had if it had been asked for', () => {
  const { room, grant, pass } = startRoom();
  grant(2);
  pass(900);
  expect([remainingOf(room), remainingOf(room), remainingOf(room)]).toEqual([
    [398, 99_798],
    [397, 99_797],
    null,
  ]);
});

it('the seconds left go on while room is held', () => {
  const { room, grant, pass } = startRoom();
  grant(2, GRANTED_MS + 200);
  expect(room.use('a', windows)?.windows[0]?.secondsLeft).toBe(40);
  pass(900);
  expect(room.use('a', windows)?.windows[0]?.secondsLeft).toBe(39);
});

it('room ends after its time, with its window, for another plan, and when the count is asked again', () => {
  const { room, grant, pass } = startRoom();
  grant(5);
  pass(AHEAD_MS - ANSWER_MS);
  expect(remainingOf(room)).toBeNull();
  grant(5, Date.parse('2026-03-02T10:00:59.900Z'));
  pass(99 - ANSWER_MS);
  expect(remainingOf(room)).not.toBeNull();
  pass(1);
  expect(remainingOf(room)).toBeNull();
  grant(5);
  expect(remainingOf(room, PLAN_WINDOWS.pro)).toBeNull();
  expect(remainingOf(room)).not.toBeNull();
  expect(room.ask('a', 0).ended).toEqual({ granted: 5, unused: 4, grantedAtMs: GRANTED_MS });
  expect([remainingOf(room), room.ask('a', 0).ended]).toEqual([null, null]);
});

it('room whose time is over is handed over once, and at the end all of it', () => {
  const { room, grant, pass } = startRoom();
  const ended = { granted: 5, unused: 4, grantedAtMs: GRANTED_MS };
  grant(5);
  remainingOf(room);
  expect(room.endExpired()).toEqual([]);
  pass(AHEAD_MS - ANSWER_MS);
  expect(room.endExpired()).toEqual([{ subject: 'a', windows, ended }]);
  expect([room.endExpired(), room.endAll()]).toEqual([[], []]);
  grant(5);
  remainingOf(room);
  expect(room.endAll()).toEqual([{ subject: 'a', windows, ended }]);
  expect([remainingOf(room), room.endAll()]).toEqual([null, []]);
});
