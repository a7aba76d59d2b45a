import { type Component, type Logger, loop } from '@frontdesk/service';
import { type HourCount, hourOf, type RequestCounts } from './request-counts.client.ts';

const FLUSH_INTERVAL_MS = 10_000;
/** Pairs of tenant and hour that are kept while Redis is away. Further ones are not counted: the counts are for a plot only. */
const MAX_UNWRITTEN = 50_000;
/** Counts that are written at once. */
const BATCH = 500;

/** Counts requests by tenant and hour, and adds the counts to those in Redis every ten seconds and before the gateway stops. */
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
    const failures: unknown[] = [];
    while (taken.length > 0 && failures.length === 0) {
      const addOne = (count: HourCount) =>
        options.counts.add(count).catch((error) => {
          failures.push(error);
          add(count);
        });
      await Promise.all(taken.splice(-BATCH).map(addOne));
    }
    for (const count of taken) add(count);
    if (failures.length > 0) throw failures[0];
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
      // Without Redis the last few counts are lost.
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
