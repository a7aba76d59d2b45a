import { migrate } from '@frontdesk/database';
import { createLogger } from '@frontdesk/service';
import { migrations } from '../services/webhooks/src/data/migrations/index.ts';
import { startEnvironment } from './support/environment.ts';
import { chosenParts, runBenchmark } from './support/parts.ts';
import { measureCpu } from './webhooks/cpu.ts';
import { measureKill } from './webhooks/kill.ts';
import { measureLatency } from './webhooks/latency.ts';
import { measureMemory } from './webhooks/memory.ts';
import { measureNeighbour } from './webhooks/neighbour.ts';
import { measurePlans } from './webhooks/plans.ts';
import { type Stack, startStack } from './webhooks/stack.ts';

/**
 * What a delivery costs and how long it takes, seen from outside the one webhooks process: CPU of the whole stack, latency, alone and
 * beside neighbours that misbehave, what a kill -9 does, memory; and what the settings of the workers' sessions are worth. On Linux, as it
 * reads /proc; on engines of its own that write to the disk. About 10 minutes.
 *
 *   npm run bench:webhooks [-- cpu latency neighbour kill memory plans]
 */
const PARTS: Record<string, (stack: Stack, resources: AsyncDisposableStack) => Promise<void>> = {
  cpu: measureCpu,
  latency: measureLatency,
  neighbour: measureNeighbour,
  kill: measureKill,
  memory: measureMemory,
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
