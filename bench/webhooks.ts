import { migrate } from '@frontdesk/database';
import { createLogger } from '@frontdesk/service';
import { migrations } from '../services/webhooks/src/migrations/index.ts';
import { startEnvironment } from './support/environment.ts';
import { chosenParts, runBenchmark } from './support/parts.ts';
import { measureCpu } from './webhooks/cpu.ts';
import { measureLatency, measureLinger } from './webhooks/latency.ts';
import { measurePlans } from './webhooks/plans.ts';
import { type Stack, startStack } from './webhooks/stack.ts';

/**
 * What a delivery costs and how long it takes, seen from outside the one webhooks process: CPU of the whole stack, latency; and what
 * the settings of the workers' sessions are worth. On Linux, as it reads /proc; on engines of its own that write to the disk. A few
 * minutes.
 *
 *   npm run bench:webhooks [-- cpu latency linger plans]
 */
const PARTS: Record<string, (stack: Stack, resources: AsyncDisposableStack) => Promise<void>> = {
  cpu: measureCpu,
  latency: measureLatency,
  linger: measureLinger,
  plans: measurePlans,
};

const parts = chosenParts(PARTS);
await runBenchmark(async (resources, signal) => {
  const environment = await startEnvironment('webhooks', { durable: true, signal });
  resources.defer(environment.stop);
  await migrate({
    url: environment.databaseUrl,
    migrations,
    logger: createLogger({ name: 'bench', level: 'warn' }),
  });
  const stack = await startStack(environment, resources, signal);
  for (const [name, measure] of parts) {
    console.log(`\n${name}`);
    const ofPart = resources.use(new AsyncDisposableStack());
    await measure(stack, ofPart);
    await ofPart.disposeAsync();
  }
});
