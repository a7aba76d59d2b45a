/**
 * Of all that is no request: the same statements all day, over tables that fill within seconds. Sessions of requests have no settings
 * of their own. `npm run bench:webhooks -- plans` shows what each is worth.
 */
export const WORK_SESSION_SETTINGS = {
  // A plan that was made while the queue or the day's partition was small would read it whole until PostgreSQL looks again.
  enable_seqscan: 'off',
  // PostgreSQL would plan the recording of results each time, over all partitions: more work than to record a few.
  plan_cache_mode: 'force_generic_plan',
  // What is claimed is sent under the name of its delivery: see migrations/name-deliveries.ts.
  'frontdesk.names_deliveries': 'on',
} as const;
