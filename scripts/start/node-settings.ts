import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * What keeps a service small: a nursery of moderate size, old garbage collected early, and the collector for the service's own
 * memory reducer. The Dockerfile says the same.
 */
export const NODE_FLAGS = [
  '--max-semi-space-size=8',
  '--initial-old-space-size=32',
  '--heap-growing-percent=12',
  '--expose-gc',
];
/** One arena of malloc for all threads: each more keeps what it was once given. */
export const NODE_ENV = { MALLOC_ARENA_MAX: '1' };
/** Loaded before every service that the start or a benchmark runs. */
export const PRELOADED = pathToFileURL(join(import.meta.dirname, 'end-with-parent.ts')).href;
