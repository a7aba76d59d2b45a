import { MAX_KEY_NETWORKS } from '@frontdesk/contracts';
import type { ServiceProcess } from '../../tests/support/service-process.ts';
import { type Call, quantile, sendAll } from '../support/load.ts';
import { cpuSecondsOfTree } from '../support/process-cpu.ts';

/** With each pair of processes. */
const ROUNDS = 6;
/** To each side; Redis reports its CPU in hundredths of a second, which are 3 µs for each request. */
const REQUESTS = 3_000;
/** Until both sides are compiled as far as they will be. */
const WARM_UP = 20_000;
const TARGET = 1.4;
const NARROW_TARGET = 1.03;

/** One side of the comparison: how to send it requests, and what it uses for them. */
interface Side {
  call: Call;
  process: ServiceProcess;
}

/** A gateway and a bare proxy: alike processes differ by up to half, so there are several of each. */
export interface Pair {
  gateway: Side;
  bare: Side;
}

/** CPU: seconds so far, or µs for each request of a round. */
type Cpu = Record<'gateway' | 'redis' | 'bare', number>;

/**
 * CPU per request of the gateway and Redis, beside that of the bare proxy, with so many requests in flight to each. Every other
 * request goes to the other side, and every other round to another pair, so that whatever else the machine does burdens all alike.
 */
export async function measureCpu(pairs: readonly Pair[], inFlight: number, redisPid: number): Promise<void> {
  const inTurns = ({ gateway, bare }: Pair, requests: number) =>
    sendAll(2 * requests, 2 * inFlight, (n) => (n % 2 === 0 ? gateway : bare).call(Math.floor(n / 2)));
  const used = async ({ gateway, bare }: Pair): Promise<Cpu> => ({
    gateway: await gateway.process.cpuSeconds(),
    redis: cpuSecondsOfTree(redisPid),
    bare: await bare.process.cpuSeconds(),
  });
  const round = async (pair: Pair): Promise<Cpu> => {
    const before = await used(pair);
    await inTurns(pair, REQUESTS);
    const after = await used(pair);
    const each = (of: keyof Cpu) => ((after[of] - before[of]) * 1e6) / REQUESTS;
    return { gateway: each('gateway'), redis: each('redis'), bare: each('bare') };
  };

  for (const pair of pairs) await inTurns(pair, WARM_UP);
  const rounds: Cpu[] = [];
  for (let n = 0; n < ROUNDS; n += 1) for (const pair of pairs) rounds.push(await round(pair));

  const sorted = (of: (cpu: Cpu) => number) => rounds.map(of).sort((a, b) => a - b);
  const middle = (of: keyof Cpu) =>
    quantile(
      sorted((cpu) => cpu[of]),
      0.5,
    );
  const ratios = sorted((cpu) => (cpu.gateway + cpu.redis) / cpu.bare);
  const [lower, upper] = [0.25, 0.75].map((share) => quantile(ratios, share).toFixed(2));
  console.log(
    `a request through the gateway, ${inFlight} in flight: ${quantile(ratios, 0.5).toFixed(2)} bare proxied requests ` +
      `(middle half ${lower} to ${upper}, target ${TARGET})\n  µs of CPU: gateway ${middle('gateway').toFixed(0)}, ` +
      `Redis ${middle('redis').toFixed(0)}; bare proxy ${middle('bare').toFixed(0)}`,
  );
}

/** One gateway, with calls by keys that may be used for everything from everywhere, and by narrow ones. */
export interface GatewayOfKeys {
  process: ServiceProcess;
  plain: Call;
  narrow: Call;
}

/**
 * The gateway's CPU per request with narrow keys, in units of that with others. Both go through the same processes, in rounds that
 * take turns and pairs of rounds that begin with either: a process that runs well or badly does so for both.
 */
export async function measureNarrowKeys(gateways: readonly GatewayOfKeys[], inFlight: number): Promise<void> {
  const cpuOf = async ({ process }: GatewayOfKeys, call: Call): Promise<number> => {
    const before = await process.cpuSeconds();
    await sendAll(REQUESTS, inFlight, call);
    return (((await process.cpuSeconds()) - before) * 1e6) / REQUESTS;
  };
  for (const { plain, narrow } of gateways)
    await sendAll(2 * WARM_UP, inFlight, (n) => (n % 2 === 0 ? plain : narrow)(n));
  const rounds: { plain: number; narrow: number }[] = [];
  for (let n = 0; n < 2 * ROUNDS; n += 1)
    for (const gateway of gateways) {
      const round = { plain: 0, narrow: 0 };
      for (const kind of n % 2 === 0 ? (['plain', 'narrow'] as const) : (['narrow', 'plain'] as const))
        round[kind] = await cpuOf(gateway, gateway[kind]);
      rounds.push(round);
    }
  const ratios = rounds.map(({ plain, narrow }) => narrow / plain).sort((a, b) => a - b);
  const [lower, upper] = [0.25, 0.75].map((share) => quantile(ratios, share).toFixed(2));
  // Of all rounds together: a single one has the garbage of both kinds to collect, or of none.
  const total = (kind: 'plain' | 'narrow') => rounds.reduce((sum, round) => sum + round[kind], 0);
  const [plain, narrow] = [total('plain'), total('narrow')];
  console.log(
    `a request by a key with a scope and ${MAX_KEY_NETWORKS} networks, ${inFlight} in flight: ${(narrow / plain).toFixed(3)} of one by another key ` +
      `(target ${NARROW_TARGET}; middle half of the rounds ${lower} to ${upper})\n` +
      `  µs of CPU: ${(narrow / rounds.length).toFixed(0)} and ${(plain / rounds.length).toFixed(0)}`,
  );
}
