import { AHEAD_MS, type TakeShared } from '@frontdesk/redis';
import type { Part } from '@frontdesk/service';
import type { RoomAhead } from '../domain/room-ahead.ts';

/** Ends what is held ahead with each period, also at the stop, and gives back what is unused. */
export function createRoomAheadWorker(deps: { roomAhead: RoomAhead; shared: TakeShared }): Part {
  const { roomAhead, shared } = deps;
  let timer: NodeJS.Timeout | undefined;

  // Where Redis is away the unused rest stays counted, as used, until its window ends.
  const giveBack = () =>
    Promise.allSettled(
      roomAhead
        .endPeriod()
        .map(({ subject, windows, ended }) => shared(subject, windows, 0, { wanted: 0, ended })),
    );

  return {
    name: 'room ahead',
    async start() {
      timer = setInterval(() => void giveBack(), AHEAD_MS);
    },
    async stop() {
      clearInterval(timer);
      await giveBack();
    },
  };
}
