/**
 * Every statement here goes through an index to a few rows. Of a table that was empty when PostgreSQL last looked, a new system's
 * say, it would read all rows instead, for each staff member anew, until it looks again.
 */
export const SESSION_SETTINGS = { enable_seqscan: 'off' } as const;
