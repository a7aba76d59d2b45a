import type { CallListEntry } from '@frontdesk/contracts';

/** A caller who was missed longer ago than this expects no call any more. */
export const CALL_BACK_DAYS = 14;

/** Most that a page lists. */
export const SHOWN_CALL_BACKS = { days: CALL_BACK_DAYS, open: 50, done: 10 };

/** Whether somebody may wait for a call back: outbound calls that nobody answered are none, nor are tests. */
export const isMissedCaller = ({ missed, test, direction }: CallListEntry): boolean =>
  missed && !test && direction === 'inbound';
