// What a calendar may hold. One that holds more, from an earlier release, keeps it; so a request may repeat what that release allowed.

/** Most exceptions, and most times off, of a calendar. */
export const MAX_CALENDAR_ENTRIES = 400;
/** The same in a request. */
export const MAX_CALENDAR_ENTRIES_IN_BODY = 1_000;

/** Most spans of a day. */
export const MAX_SPANS = 12;
/** The same in a request. */
export const MAX_SPANS_IN_BODY = 50;
