import { type Call, quantile, sendAll } from '../support/load.ts';
import { cpuSecondsOfTree } from '../support/process-cpu.ts';
import type { ServiceProcess } from '../support/service-process.ts';

const ROUNDS = 15;
/** To each side; Redis's CPU is told in hundredths of a second, which are 3 µs for each request. */
const REQUESTS = 3_000;
/** Until both sides are compiled as far as they will be. */
const WARM_UP = 25_000;
const CONCURRENCY = 16;
const TARGET = 1.25;

/** One side of the comparison: how to send it requests, and what it uses for them. */
export interface Side {
  call: Call;
  process: ServiceProcess;
}

/** CPU: seconds so far, or µs for each request of a round. */
type Cpu = Record<'gateway' | 'redis' | 'bare', number>;

/**
 * CPU per request of the gateway and Redis, beside that of the bare proxy. Every other request goes to the other side, so
 * that whatever else the machine does burdens both alike.
 */
export async function measureCpu(gateway: Side, bare: Side, redisPid: number): Promise<void> {
  const used = async (): Promise<Cpu> => ({
    gateway: await gateway.process.cpuSeconds(),
    redis: cpuSecondsOfTree(redisPid),
    bare: await bare.process.cpuSeconds(),
  });
  const inTurns = (requests: number) =>
    sendAll(2 * requests, CONCURRENCY, (n) => (n % 2 === 0 ? gateway : bare).call(Math.floor(n / 2)));

  await inTurns(WARM_UP);
  const rounds: Cpu[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await used();
    await inTurns(REQUESTS);
    const after = await used();
    const each = (of: keyof Cpu) => ((after[of] - before[of]) * 1e6) / REQUESTS;
    rounds.push({ gateway: each('gateway'), redis: each('redis'), bare: each('bare') });
  }

  const sorted = (of: (round: Cpu) => number) => rounds.map(of).sort((a, b) => a - b);
  const middle = (of: keyof Cpu) => {
    const values = sorted((round) => round[of]);
    return quantile(values, 0.5).toFixed(0);
  };
  const ratios = sorted((round) => (round.gateway + round.redis) / round.bare);
  const [median, lower, upper] = [0.5, 0.25, 0.75].map((share) => quantile(ratios, share).toFixed(2));
  console.log(
    `a request through the gateway: ${median} bare proxied requests (middle half ${lower} to ${upper}, target ${TARGET})\n` +
      `  µs of CPU: gateway ${middle('gateway')}, Redis ${middle('redis')}; bare proxy ${middle('bare')}`,
  );
}
