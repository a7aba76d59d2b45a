import { migrate } from '@frontdesk/database';
import { createLogger } from '@frontdesk/service';
import { stopSignals } from '../scripts/start/stop-signals.ts';
import { migrations } from '../services/webhooks/src/data/migrations/index.ts';
import { startEnvironment } from './support/environment.ts';
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

const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !Object.hasOwn(PARTS, name));
if (unknown !== undefined) throw new Error(`There is no part ${unknown}: ${Object.keys(PARTS).join(', ')}.`);

const { stop } = stopSignals();
const stopped = new Promise<never>((_resolve, reject) => {
  stop.addEventListener('abort', () => reject(stop.reason));
});
stopped.catch(() => {});
const resources = new AsyncDisposableStack();
try {
  const environment = await startEnvironment('webhooks', { durable: true, signal: stop });
  resources.defer(environment.stop);
  await migrate({
    url: environment.databaseUrl,
    migrations,
    logger: createLogger({ name: 'bench', level: 'warn' }),
  });
  const stack = await startStack(environment, resources, stop);
  for (const [name, measure] of Object.entries(PARTS)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    console.log(`\n${name}`);
    const ofPart = resources.use(new AsyncDisposableStack());
    await Promise.race([measure(stack, ofPart), stopped]);
    await ofPart.disposeAsync();
  }
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await resources.disposeAsync();
}
// What was under way when it was told to stop would keep the process.
process.exit();
