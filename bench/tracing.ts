import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runBenchmark } from './support/parts.ts';

/**
 * What traces cost a process: CPU of a request with three spans, its own, a call's and a transaction's, without an endpoint, and with one
 * in ten traces sampled and all of them, sending included. Each measurement is a process of its own, in turns. About 3 minutes.
 *
 *   npm run bench:tracing
 */
const ROUNDS = 3;
const SHARES = [null, 0, 0.1, 1];
const SPANS = 3;

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

await runBenchmark(async (resources, signal) => {
  const endpoint = await startCollector(resources);
  const costs = new Map<number | null, number[]>(SHARES.map((share) => [share, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const share of SHARES) costs.get(share)?.push(await microsOfRequest(share, endpoint, signal));
  const untraced = median(costs.get(null) ?? []);
  for (const [share, values] of costs) {
    const micros = median(values);
    const name = share === null ? 'no endpoint' : `sampled ${share}`;
    const listed = values.map((value) => value.toFixed(0)).join(', ');
    console.log(
      `${name}: ${micros.toFixed(0)} µs of CPU a request (${listed}), ${((micros - untraced) / SPANS).toFixed(1)} µs more for each of ${SPANS} spans`,
    );
  }
});

async function microsOfRequest(share: number | null, endpoint: string, signal: AbortSignal): Promise<number> {
  const traces = {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: String(share),
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'tracing/traced-requests.ts')], {
    env: { PATH: process.env.PATH, ...(share === null ? {} : traces) },
    stdio: ['ignore', 'pipe', 'inherit'],
    signal,
  });
  return Number(await text(child.stdout));
}

/** Takes spans and keeps none. */
async function startCollector(resources: AsyncDisposableStack): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  resources.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
