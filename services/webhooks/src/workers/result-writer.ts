import { type Logger, loop, type Part } from '@frontdesk/service';
import type { EndpointHealth } from '../data/health.repository.ts';
import type { AttemptResult, DeliveryQueue } from '../data/queue.repository.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';

/** Bounds the size of one statement: a result carries up to 16 KiB of answer. */
const BATCH_RESULTS = 200;
const RETRY_MS = 200;
/** Results of the same moments go into one statement: so many at once, or all that come within so long. */
const GATHERED_RESULTS = 50;
const GATHER_MS = 5;

export interface ResultWriter extends Part {
  add(result: AttemptResult): void;
  start(): Promise<void>;
  /** Writes what is left. */
  stop(): Promise<void>;
}

/**
 * Writes results in batches: whatever has come in while the last batch was being written is the next one. A batch that
 * can't be written is tried again for as long as it takes; should its leases end meanwhile, it is void and others send again.
 */
export function createResultWriter(options: {
  queue: Pick<DeliveryQueue, 'record'>;
  health: EndpointHealth;
  metrics: DeliveryMetrics;
  logger: Logger;
  onWritten: (results: readonly AttemptResult[]) => void;
}): ResultWriter {
  const { queue, health, metrics, logger, onWritten } = options;
  let waiting: AttemptResult[] = [];
  let gathering: NodeJS.Timeout | undefined;

  const writeBatch = async () => {
    const batch = waiting.slice(0, BATCH_RESULTS);
    if (batch.length === 0) return false;
    const written = await queue.record(batch);
    waiting = waiting.slice(batch.length);
    metrics.recorded(
      batch,
      written.map(({ status }) => status),
    );
    const held = new Set(written.map(({ id }) => id));
    await health
      .record(batch.filter(({ claim }) => held.has(claim.id)))
      .catch((error) => logger.error({ err: error }, 'the health of endpoints was not written'));
    onWritten(batch);
    return waiting.length > 0;
  };
  const wake = () => {
    gathering = undefined;
    worker.wake();
  };
  const worker = loop({ name: 'delivery results', intervalMs: RETRY_MS, logger, run: writeBatch });

  return {
    name: worker.name,
    start: () => worker.start(),
    async stop() {
      clearTimeout(gathering);
      await worker.stop();
      while (await writeBatch());
    },
    add(result) {
      waiting.push(result);
      if (waiting.length >= GATHERED_RESULTS) return worker.wake();
      gathering ??= setTimeout(wake, GATHER_MS);
    },
  };
}
