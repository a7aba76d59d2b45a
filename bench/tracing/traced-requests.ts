import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { createApp } from '../../libs/service/src/app.ts';
import { createLogger } from '../../libs/service/src/logging.ts';
import { createMetrics } from '../../libs/service/src/metrics.ts';
import { tracingEnv } from '../../libs/service/src/tracing/config.ts';
import { traced } from '../../libs/service/src/tracing/spans.ts';
import { startTracing } from '../../libs/service/src/tracing/start-tracing.ts';

/** What bench/tracing.ts starts: requests with three spans each, one after the other; prints µs of CPU for one, and its spans are sent. */
const WARM_UP = 3_000;
const REQUESTS = 10_000;
const SEND_MS = 1_500;

const logger = createLogger({ name: 'bench', level: 'silent' });
const tracing = await startTracing('bench', z.object(tracingEnv).parse(process.env), logger);
const app = createApp({ logger, metrics: createMetrics() });
app.post('/bookings', () =>
  traced('POST scheduling', { kind: 'client', attributes: { 'http.request.method': 'POST' } }, () =>
    traced('transaction', { kind: 'client', attributes: { 'frontdesk.tenant.id': 1 } }, async () => {
      for (let trip = 0; trip < 6; trip += 1) await turn();
      return { booked: true };
    }),
  ),
);
await app.ready();
const send = async (requests: number) => {
  for (let n = 0; n < requests; n += 1) {
    const { statusCode } = await app.inject({ method: 'POST', url: '/bookings', payload: { n } });
    if (statusCode !== 200) throw new Error(`answered ${statusCode}`);
  }
  await new Promise((resolve) => setTimeout(resolve, SEND_MS));
};
await send(WARM_UP);
const before = process.cpuUsage();
await send(REQUESTS);
const { user, system } = process.cpuUsage(before);
console.log((user + system) / REQUESTS);
await tracing.stop();
process.exit();
