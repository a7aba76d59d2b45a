import { type Call, quantile, sendAll } from '../support/load.ts';
import { cpuSecondsOfTree } from '../support/process-cpu.ts';
import type { ServiceProcess } from '../support/service-process.ts';

/** Many short rounds: what else the machine does then burdens both sides of most of them alike. */
const ROUNDS = 25;
const REQUESTS = 2_000;
/** Until both sides are compiled as far as they will be. */
const WARM_UP = 20_000;
const CONCURRENCY = 16;
const TARGET = 1.25;

/** One side of the comparison: how to send it requests, and what it uses for them. */
export interface Side {
  call: Call;
  process: ServiceProcess;
  /** Beside the process itself. */
  enginePid?: number | undefined;
}

interface Cost {
  process: number;
  engine: number;
}

async function costOf({ call, process, enginePid }: Side, requests: number): Promise<Cost> {
  const engine = () => (enginePid === undefined ? 0 : cpuSecondsOfTree(enginePid));
  const [before, engineBefore] = [await process.cpuSeconds(), engine()];
  await sendAll(requests, CONCURRENCY, call);
  const microseconds = 1e6 / requests;
  return {
    process: ((await process.cpuSeconds()) - before) * microseconds,
    engine: (engine() - engineBefore) * microseconds,
  };
}

/** CPU per request of the gateway and Redis, beside that of the bare proxy, in turns. */
export async function measureCpu(gateway: Side, bare: Side): Promise<void> {
  await costOf(gateway, WARM_UP);
  await costOf(bare, WARM_UP);
  const rounds: { gateway: Cost; bare: Cost }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({ gateway: await costOf(gateway, REQUESTS), bare: await costOf(bare, REQUESTS) });

  const sorted = (of: (round: (typeof rounds)[number]) => number) => rounds.map(of).sort((a, b) => a - b);
  const middle = (of: (round: (typeof rounds)[number]) => number) => quantile(sorted(of), 0.5).toFixed(0);
  const ratios = sorted((round) => (round.gateway.process + round.gateway.engine) / round.bare.process);
  const [median, lower, upper] = [0.5, 0.25, 0.75].map((share) => quantile(ratios, share).toFixed(2));
  console.log(
    `a request through the gateway: ${median} bare proxied requests (middle half ${lower} to ${upper}, target ${TARGET})\n` +
      `  µs of CPU: gateway ${middle((round) => round.gateway.process)}, Redis ${middle((round) => round.gateway.engine)}; ` +
      `bare proxy ${middle((round) => round.bare.process)}`,
  );
}
