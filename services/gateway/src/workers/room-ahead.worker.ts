import { AHEAD_MS, AHEAD_RETURN_MS, type TakeShared } from '@frontdesk/redis';
import type { Part } from '@frontdesk/service';
import type { EndedRoom, RoomAhead } from '../domain/room-ahead.ts';

/** Ends each period; gives back the unused rest of room whose time is over, and of all room at the stop. */
export function createRoomAheadWorker(deps: { roomAhead: RoomAhead; shared: TakeShared }): Part {
  const { roomAhead, shared } = deps;
  let periodTimer: NodeJS.Timeout | undefined;
  let returnTimer: NodeJS.Timeout | undefined;

  // Where Redis is away the unused rest stays counted, as used, until its window ends.
  const giveBack = (rooms: readonly EndedRoom[]) =>
    Promise.allSettled(
      rooms.map(({ subject, windows, ended }) => shared(subject, windows, 0, { wanted: 0, ended })),
    );

  return {
    name: 'room ahead',
    async start() {
      periodTimer = setInterval(roomAhead.endPeriod, AHEAD_MS);
      // The other half is for the way to Redis.
      returnTimer = setInterval(() => void giveBack(roomAhead.endExpired()), AHEAD_RETURN_MS / 2);
    },
    async stop() {
      clearInterval(periodTimer);
      clearInterval(returnTimer);
      await giveBack(roomAhead.endAll());
    },
  };
}
