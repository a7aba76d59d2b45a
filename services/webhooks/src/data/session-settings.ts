/**
 * Statements step from one index to the next, whatever the size of a table. What the planner believes of that size is often
 * wrong: the queue fills and empties within seconds, and each day begins with empty partitions. So it is not asked.
 */
export const SESSION_SETTINGS = {
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
} as const;

/**
 * For what takes in, delivers and records: the same few statements all day. Left to itself PostgreSQL plans the one that records
 * results anew each time, over all partitions, which takes longer than the statement does: it expects more of a plan made for an
 * array whose length it can see. A plan that is kept has to step along an index also where a table seemed empty when it was made.
 */
export const WORK_SETTINGS = {
  ...SESSION_SETTINGS,
  plan_cache_mode: 'force_generic_plan',
  enable_bitmapscan: 'off',
} as const;
