import { ApiError } from '../errors.ts';
import type { FeedPage } from '../resources/events.ts';
import type { RetryNotice } from '../transport/call.ts';
import type { Report } from './report.ts';

/** Without a line, a longer wait that an answer asks for would look like a hang. */
const SILENT_MS = 2_000;
/** A request for events waits longer, unless another request with the same key ends it. */
const SHORT_MS = 10_000;

/** Says why nothing comes, and for how long. */
export const noteOf = ({ error, waitMs }: RetryNotice): string =>
  `No events: ${error.message.replace(/\.$/, '')}. Trying again in ${Math.ceil(waitMs / 1_000)} s.`;

/** Says when the connection is lost and found again, and when another program follows with the same key. */
export function createFaultNotes({ note }: Pick<Report, 'note'>) {
  let isAway = false;
  let shortWaits = 0;
  let answeredAt = performance.now();
  return {
    fault(notice: RetryNotice): void {
      isAway = true;
      const { error, failures } = notice;
      const isAskedFor = error instanceof ApiError && (error.retryAfterMs ?? 0) > SILENT_MS;
      // Of others, failures 1, 2, 4, 8 … are noted: an outage of an hour is a handful of lines.
      if (isAskedFor || Number.isInteger(Math.log2(failures))) note(noteOf(notice));
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
