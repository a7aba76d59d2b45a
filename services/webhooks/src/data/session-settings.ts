/**
 * Statements step from one index to the next, whatever the size of a table. What the planner believes of that size is often
 * wrong: the queue fills and empties within seconds, and each day begins with empty partitions. So it is not asked.
 */
export const SESSION_SETTINGS = {
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
} as const;
