import { type Component, type Logger, loop } from '@frontdesk/service';
import { type HourCount, hourOf, type RequestCounts } from '../clients/request-counts.ts';

const FLUSH_INTERVAL_MS = 10_000;
/** Of tenants by hour. While Redis is away for long, who comes after so many isn't counted: it is for a plot. */
const MAX_UNWRITTEN = 50_000;
/** Of one batch: Redis does nothing else meanwhile. */
const BATCH = 500;

/** Counts requests by tenant and hour here, and adds them to what all gateways have counted now and then, also at the end. */
export function createRequestCounter(options: { counts: RequestCounts; logger: Logger }) {
  let unwritten = new Map<string, HourCount>();

  const add = ({ tenantId, hour, allowed, denied }: HourCount) => {
    const key = `${tenantId}:${hour}`;
    const count = unwritten.get(key);
    if (count) {
      count.allowed += allowed;
      count.denied += denied;
    } else if (unwritten.size < MAX_UNWRITTEN) unwritten.set(key, { tenantId, hour, allowed, denied });
  };

  const flush = async () => {
    const taken = [...unwritten.values()];
    unwritten = new Map();
    while (taken.length > 0) {
      const batch = taken.slice(-BATCH);
      try {
        await options.counts.add(batch);
      } catch (error) {
        for (const count of taken) add(count);
        throw error;
      }
      taken.length -= batch.length;
    }
  };

  const worker = loop({
    name: 'request counts',
    intervalMs: FLUSH_INTERVAL_MS,
    run: flush,
    logger: options.logger,
  });
  const component: Component = {
    ...worker,
    async stop() {
      await worker.stop();
      // Without Redis these few are lost, as what it had counted would be.
      await flush().catch((error) => options.logger.warn({ err: error }, 'requests were not counted'));
    },
  };
  return {
    component,
    flush,
    note(tenantId: number, isAllowed: boolean): void {
      const hour = hourOf(Date.now());
      add({ tenantId, hour, allowed: isAllowed ? 1 : 0, denied: isAllowed ? 0 : 1 });
    },
  };
}
