import type { FeedPage } from '../resources/events.ts';
import type { FollowFault } from '../resources/following.ts';
import type { Report } from './report.ts';

/** A request for events waits longer, unless another request with the same key ends it. */
const SHORT_MS = 10_000;

/** Says when the connection is lost and found again, and when another program follows with the same key. */
export function createFaultNotes({ note }: Pick<Report, 'note'>) {
  let isAway = false;
  let shortWaits = 0;
  let answeredAt = performance.now();
  return {
    fault({ error, failures, waitMs }: FollowFault): void {
      isAway = true;
      // Failures 1, 2, 4, 8 … are noted: an outage of an hour is a handful of lines.
      if (!Number.isInteger(Math.log2(failures))) return;
      note(`No events: ${error.message}. Trying again in ${Math.ceil(waitMs / 1_000)} s.`);
    },
    page({ data, meta }: FeedPage): void {
      const isShort = performance.now() - answeredAt < SHORT_MS && data.length === 0 && !meta.has_more;
      answeredAt = performance.now();
      if (isAway) note('Connected again; no event was missed.');
      else shortWaits = isShort ? shortWaits + 1 : 0;
      isAway = false;
      if (shortWaits === 3)
        note(
          'Another program follows these events with the same key, so they come late. Give each program its own key.',
        );
    },
  };
}
