import { AHEAD_MS, AHEAD_RETURN_MS, type TakeShared } from '@frontdesk/redis';
import type { Part } from '@frontdesk/service';
import type { RoomAhead } from '../domain/room-ahead.ts';

/** Ends the periods, and the room whose time is over, at the stop all of it; gives back what is unused. */
export function createRoomAheadWorker(deps: { roomAhead: RoomAhead; shared: TakeShared }): Part {
  const { roomAhead, shared } = deps;
  let periods: NodeJS.Timeout | undefined;
  let returns: NodeJS.Timeout | undefined;

  // Where Redis is away the unused rest stays counted, as used, until its window ends.
  const giveBack = (rooms: ReturnType<RoomAhead['endAll']>) =>
    Promise.allSettled(
      rooms.map(({ subject, windows, ended }) => shared(subject, windows, 0, { wanted: 0, ended })),
    );

  return {
    name: 'room ahead',
    async start() {
      periods = setInterval(roomAhead.endPeriod, AHEAD_MS);
      returns = setInterval(() => void giveBack(roomAhead.endExpired()), AHEAD_RETURN_MS / 2);
    },
    async stop() {
      clearInterval(periods);
      clearInterval(returns);
      await giveBack(roomAhead.endAll());
    },
  };
}
