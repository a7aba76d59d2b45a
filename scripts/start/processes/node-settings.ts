import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** In MiB; why it is bounded: docs/decisions/memory-at-rest.md. The Dockerfile says the same. */
export const NODE_FLAGS = ['--max-heap-size=512'];
/**
 * One arena of malloc for all threads: each more keeps what it was once given. Memory from 128 KiB up goes back to the system as it is
 * freed: without a number glibc raises this bound to the largest that was freed.
 */
export const NODE_ENV = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' };
/** Loaded before every service that the start or a benchmark runs. */
export const PRELOADED = pathToFileURL(join(import.meta.dirname, 'end-with-parent.ts')).href;
