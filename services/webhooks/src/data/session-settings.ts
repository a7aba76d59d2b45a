/**
 * Statements step from one index to the next, whatever the size of a table. What the planner believes of that size is often
 * wrong: the queue fills and empties within seconds, and each day begins with empty partitions. So it is not asked.
 */
export const API_SESSION_SETTINGS = {
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
} as const;

/**
 * For all that is no request: the same statements all day, so each is planned once for a session. Left to itself PostgreSQL plans
 * the one that records results anew each time, over all partitions, which takes longer than running it: a plan for the arrays at
 * hand always looks cheaper to it than one for arrays of unknown length. A kept plan has to use an index even where the table
 * seemed empty when it was made, so no bitmaps.
 */
export const WORK_SESSION_SETTINGS = {
  ...API_SESSION_SETTINGS,
  plan_cache_mode: 'force_generic_plan',
  enable_bitmapscan: 'off',
} as const;
