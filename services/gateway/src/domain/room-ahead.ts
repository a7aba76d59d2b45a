import type { AheadAsked, EndedAhead, RateWindow, SharedGrant } from '@frontdesk/redis';
import { type Decision, decisionFor, type Outcome, windowEndMs } from './rate-limit.ts';

/** For whoever asks less often in a period, room ahead spares too little to be worth what its bookkeeping costs. */
const MIN_REQUESTS = 4;

/** Room of one subject. */
interface Held {
  outcome: Outcome;
  /** Of all that was granted, the place that is used next, and the end. */
  next: number;
  end: number;
  ahead: number;
  /** By this process's monotonic clock, as `untilMs` is. */
  askedMs: number;
  untilMs: number;
}

export interface RoomAhead {
  /** Notes one more request; a decision where there is room for it already, null where the shared count has to be asked. */
  use(subject: string, windows: readonly RateWindow[]): Decision | null;
  /** What to ask for beside `count` requests: as much again as came in the last period. Room that is held ends with that. */
  ask(subject: string, count: number): Asking;
  /** Requests that are noted from now on belong to the next period. */
  endPeriod(): void;
  /** Hands over the room whose time is over. Who goes on asking has handed it over with the next question already. */
  endExpired(): EndedRoom[];
  /** Hands over all of it, for the stop. */
  endAll(): EndedRoom[];
}

/** Whose room that was, and under which windows. */
export interface EndedRoom {
  subject: string;
  windows: readonly RateWindow[];
  ended: EndedAhead;
}

/** One question to the shared count. */
interface Asking extends AheadAsked {
  /** The answer is there. */
  granted(windows: readonly RateWindow[], grant: SharedGrant): void;
  /** None will be. */
  failed(): void;
}

/**
 * Room in the windows of those who ask often, granted ahead for one period, so that most of their requests wait for
 * nobody. Only the subjects of two periods are remembered.
 */
export function createRoomAhead(options: { periodMs: number; now?: () => number }): RoomAhead {
  const { periodMs, now = () => performance.now() } = options;
  let requests = new Map<string, number>();
  let requestsBefore = new Map<string, number>();
  const held = new Map<string, Held>();
  const asking = new Set<string>();

  const endRoom = (subject: string): EndedAhead | null => {
    const room = held.get(subject);
    held.delete(subject);
    return room ? endOf(room) : null;
  };

  const endWhere = (isOver: (room: Held) => boolean): EndedRoom[] =>
    [...held]
      .filter(([, room]) => isOver(room))
      .map(([subject, room]) => {
        held.delete(subject);
        return { subject, windows: room.outcome.windows, ended: endOf(room) };
      });

  return {
    use(subject, windows) {
      requests.set(subject, (requests.get(subject) ?? 0) + 1);
      const room = held.get(subject);
      if (!room || room.next === room.end || room.outcome.windows !== windows) return null;
      const nowMs = now();
      if (nowMs >= room.untilMs) return null;
      const place = room.next;
      room.next += 1;
      return decisionFor(place, room.outcome, nowMs - room.askedMs);
    },
    ask(subject, count) {
      const ended = endRoom(subject);
      const before = requestsBefore.get(subject) ?? 0;
      const wanted = count > 0 && before >= MIN_REQUESTS && !asking.has(subject) ? before : 0;
      const askedMs = now();
      if (wanted > 0) asking.add(subject);
      const stop = () => {
        if (wanted > 0) asking.delete(subject);
      };
      return {
        wanted,
        ended,
        granted(windows, grant) {
          stop();
          if (grant.ahead === 0) return;
          const total = grant.granted + grant.ahead;
          const leftMs = Math.min(...windows.map((window) => windowEndMs(window, grant.nowMs))) - grant.nowMs;
          held.set(subject, {
            outcome: { grant: { ...grant, granted: total }, scope: 'shared', windows },
            next: grant.granted,
            end: total,
            ahead: grant.ahead,
            askedMs,
            untilMs: askedMs + Math.min(periodMs, leftMs),
          });
        },
        failed: stop,
      };
    },
    endPeriod() {
      requestsBefore = requests;
      requests = new Map();
    },
    endExpired() {
      const nowMs = now();
      return endWhere(({ untilMs }) => nowMs >= untilMs);
    },
    endAll: () => endWhere(() => true),
  };
}

const endOf = ({ outcome, ahead, next, end }: Held): EndedAhead => ({
  granted: ahead,
  unused: end - next,
  grantedAtMs: outcome.grant.nowMs,
});
