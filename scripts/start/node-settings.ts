import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** In MiB; why it is bounded: docs/decisions/memory-at-rest.md. The Dockerfile says the same. */
export const NODE_FLAGS = ['--max-heap-size=512'];
/** One arena of malloc for all threads: each more keeps what it was once given. */
export const NODE_ENV = { MALLOC_ARENA_MAX: '1' };
/** Loaded before every service that the start or a benchmark runs. */
export const PRELOADED = pathToFileURL(join(import.meta.dirname, 'end-with-parent.ts')).href;
