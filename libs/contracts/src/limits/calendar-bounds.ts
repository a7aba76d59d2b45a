// Bounds of a calendar. A calendar from an earlier release that holds more keeps all of it.

/** Most exceptions, and most times off, of a calendar. */
export const MAX_CALENDAR_ENTRIES = 400;
/** Most of either in a document: the bound of earlier releases, so that every export can be imported again. */
export const MAX_CALENDAR_ENTRIES_IN_BODY = 1_000;

/** Most spans of a day. */
export const MAX_SPANS = 12;
/** Most spans of a day in a request: the bound of earlier releases, so that such a day can be sent back. */
export const MAX_SPANS_IN_BODY = 50;
