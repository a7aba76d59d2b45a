import { type Call, sendAll } from '../support/load.ts';
import { memoryOf } from '../support/process-memory.ts';
import type { ServiceProcess } from '../support/service-process.ts';

const PASSES = 6;
const CONCURRENCY = 32;

/** Memory of the gateway after each time that every key has been used: it grows with the first, and not with the others. */
export async function measureMemory(gateway: ServiceProcess, keys: number, call: Call): Promise<void> {
  const atRest = memoryOf(gateway.pid).residentMb;
  const after: number[] = [];
  for (let pass = 0; pass < PASSES; pass += 1) {
    await sendAll(keys, CONCURRENCY, call);
    after.push(memoryOf(gateway.pid).residentMb);
  }
  console.log(
    `${keys} keys in use: ${atRest} MB before, ${after.join(', ')} MB each time all were used once more`,
  );
}
