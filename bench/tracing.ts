import { measureTracing } from './booking/tracing-cost.ts';
import { runBenchmark } from './support/parts.ts';

/**
 * What traces cost a booking in the whole system, every process counted: without an endpoint, with all traces sampled, and with one in
 * ten, in turns. Three systems run side by side: 5 GB of memory, about 10 minutes. On Linux, as it reads /proc.
 *
 *   npm run bench:tracing
 */
await runBenchmark((resources, signal) => measureTracing(signal, resources));
