import { sqlState } from '@frontdesk/database';
import { type Logger, loop, type Part } from '@frontdesk/service';
import type { AttemptResult, DeliveryQueue, RecordedResult } from '../data/queue.repository.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';

/** Of one statement: a result carries up to 16 KiB of answer. */
const BATCH_RESULTS = 200;
const RETRY_MS = 200;
/** Results of the same moments go into one statement: as many as it takes, or all that come within so long. */
const GATHER_MS = 10;
/** Data that the database won't have, whoever tries: a value out of its range, a constraint broken. */
const BAD_DATA = /^2[23]/;

export interface ResultWriter extends Part {
  add(result: AttemptResult): void;
  start(): Promise<void>;
  /** Writes what is left. */
  stop(): Promise<void>;
}

/**
 * Writes results in batches: whatever has come in while the last batch was being written is the next one. A batch that
 * can't be written is tried again for as long as it takes; should its leases end meanwhile, it is void and others send again.
 * @param options.onWritten what nobody needs to remember any longer: results whose lease still held, and those whose lease was
 *   somebody else's by then
 */
export function createResultWriter(options: {
  queue: Pick<DeliveryQueue, 'record'>;
  metrics: DeliveryMetrics;
  logger: Logger;
  onWritten: (results: { recorded: RecordedResult[]; voided: AttemptResult[] }) => void;
}): ResultWriter {
  const { queue, metrics, logger, onWritten } = options;
  let waiting: AttemptResult[] = [];
  let gathering: NodeJS.Timeout | undefined;

  /** One result that the database refuses for good must not keep the others from being written. */
  const record = async (batch: readonly AttemptResult[]): Promise<RecordedResult[]> => {
    try {
      return await queue.record(batch);
    } catch (error) {
      if (!BAD_DATA.test(sqlState(error) ?? '')) throw error;
      const [first] = batch;
      if (batch.length > 1) {
        const middle = batch.length / 2;
        return [...(await record(batch.slice(0, middle))), ...(await record(batch.slice(middle)))];
      }
      logger.error({ err: error, delivery: first?.claim.id }, 'a result is refused by the database');
      return [];
    }
  };
  const writeBatch = async () => {
    const batch = waiting.slice(0, BATCH_RESULTS);
    if (batch.length === 0) return false;
    const recorded = await record(batch);
    waiting = waiting.slice(batch.length);
    metrics.recorded(
      batch,
      recorded.map(({ status }) => status),
    );
    const held = new Set(recorded.map(({ result }) => result));
    onWritten({ recorded, voided: batch.filter((result) => !held.has(result)) });
    return waiting.length > 0;
  };
  const wake = () => {
    gathering = undefined;
    worker.wake();
  };
  const worker = loop({
    name: 'delivery results',
    intervalMs: RETRY_MS,
    maxBackoffMs: 1_000,
    logger,
    run: writeBatch,
  });

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
      if (waiting.length >= BATCH_RESULTS) return worker.wake();
      gathering ??= setTimeout(wake, GATHER_MS);
    },
  };
}
