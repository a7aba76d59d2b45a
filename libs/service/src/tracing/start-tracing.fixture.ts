import { z } from 'zod';
import { createLogger } from '../run/logging.ts';
import { tracingEnv } from './config.ts';
import { startSpan } from './spans.ts';
import { startTracing } from './start-tracing.ts';

/** What start-tracing.test.ts starts: a process that makes spans, a stranger's by their parent, and stops. */
const SPANS = 10_000;
const config = z.object({ ...tracingEnv, PARENT_FLAGS: z.string().default('01') }).parse(process.env);
const tracing = await startTracing('fixture', config, createLogger({ name: 'fixture', level: 'info' }));
const parent = `00-${'0'.repeat(31)}1-00f067aa0ba902b7-${config.PARENT_FLAGS}`;
let sampled = 0;
for (let nth = 0; nth < SPANS; nth += 1) {
  const span = startSpan('span', { parent, isStranger: true });
  if (span?.isRecording()) sampled += 1;
  span?.end();
}
console.log(`spans: ${sampled}`);
await tracing.stop();
process.exit();
