import type { Pool } from 'undici';
import type { ServiceProcess } from '../../tests/support/service-process.ts';
import { quantile, sendAll } from '../support/load.ts';
import { callsWith } from './callers.ts';

const ENCODINGS = ['identity', 'gzip', 'zstd', 'br'];
const PATH = '/api/v1/appointments/slots';
const ROUNDS = 8;
const REQUESTS = 1_000;
const WARM_UP = 3_000;
const IN_FLIGHT = 8;

/** CPU of the gateway and bytes for each answer with the slots of two weeks, by encoding, in turns. */
export async function measureCompression(
  { service, pool }: { service: ServiceProcess; pool: Pool },
  keys: readonly string[],
): Promise<void> {
  const calls = ENCODINGS.map((encoding) => callsWith(pool, keys, { path: PATH, encoding }));
  for (const call of calls) await sendAll(WARM_UP, IN_FLIGHT, call);
  const micros = ENCODINGS.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [n, call] of calls.entries()) {
      const before = await service.cpuSeconds();
      await sendAll(REQUESTS, IN_FLIGHT, call);
      micros[n]?.push((((await service.cpuSeconds()) - before) * 1e6) / REQUESTS);
    }
  for (const [n, call] of calls.entries()) {
    const sorted = (micros[n] ?? []).sort((a, b) => a - b);
    const [lower, middle, upper] = [0.25, 0.5, 0.75].map((share) => quantile(sorted, share).toFixed(0));
    console.log(
      `${ENCODINGS[n]}: ${await call(0)} bytes, ${middle} µs of CPU (middle half ${lower} to ${upper})`,
    );
  }
}
