import type { SystemScope } from '@frontdesk/database';
import type { Logger } from '@frontdesk/service';
import { type FailedEndpoint, recordHealth } from '../endpoints/health.repository.ts';
import {
  type AttemptResult,
  type Lease,
  type RecordedResult,
  recordResults,
  returnLeases,
} from '../queue/queue.repository.ts';
import { createBatchWriter } from './batch-writer.ts';
import { createDeliveryCounter } from './delivery-counter.ts';
import { createHealthWriter } from './health-writer.ts';

/** Of one statement: a result carries up to 16 KiB of answer. */
const RESULTS = { maxItems: 200, gatherMs: 10 };
const RETURNED_LEASES = { maxItems: 1_000, gatherMs: 0 };

export type ResultRecorder = ReturnType<typeof createResultRecorder>;

interface Returned extends Pick<Lease, 'id' | 'lease_token'> {
  delayMs: number;
}

/**
 * Writes what came of leased deliveries, in batches and for as long as the database takes to accept it: results, the health of
 * endpoints, counts, and leases that ended without an attempt.
 */
export function createResultRecorder(options: {
  system: SystemScope;
  /** Ends an endpoint for what it answered. */
  disable: (failed: FailedEndpoint) => Promise<void>;
  /** `recorded`: those of the results whose lease still held. */
  onRecorded: (results: readonly AttemptResult[], recorded: readonly RecordedResult[]) => void;
  logger: Logger;
}) {
  const { system, disable, onRecorded, logger } = options;
  /** What to call once an item is written, or refused for good. */
  const ends = new Map<object, () => void>();
  const ended = (item: object) => {
    ends.get(item)?.();
    ends.delete(item);
  };
  const ending = (item: object): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.set(item, resolve);
    return promise;
  };

  const counter = createDeliveryCounter({ system, logger });
  const health = createHealthWriter({
    record: (reports) => recordHealth(system, reports),
    disable,
    logger,
    // A failed delivery has ended only when claims know of the failure.
    onFailuresWritten: (failures) => failures.forEach(ended),
  });
  const results = createBatchWriter<AttemptResult>({
    name: 'delivery results',
    ...RESULTS,
    logger,
    async write(batch) {
      const recorded = await recordResults(system, batch);
      onRecorded(batch, recorded);
      counter.note(recorded);
      const held = new Set(recorded.map(({ result }) => result));
      health.note([...held]);
      const isOver = (result: AttemptResult) => !held.has(result) || result.outcome.errorClass === null;
      batch.filter(isOver).forEach(ended);
    },
    onRefused: ended,
  });
  const returns = createBatchWriter<Returned>({
    name: 'returned leases',
    ...RETURNED_LEASES,
    logger,
    async write(batch) {
      await returnLeases(system, batch);
      batch.forEach(ended);
    },
    onRefused: ended,
  });
  return {
    /** Resolves once the result is written, and claims know of a failure. */
    record(result: AttemptResult): Promise<void> {
      const recorded = ending(result);
      results.add([result]);
      return recorded;
    },
    /** Ends leases without an attempt: the deliveries are due after the delay. Resolves once that is written. */
    async returnLeases(leases: readonly Lease[], delayMs = 0): Promise<void> {
      const returned = leases.map(({ id, lease_token }) => ({ id, lease_token, delayMs }));
      const written = Promise.all(returned.map(ending));
      returns.add(returned);
      await written;
    },
    async start() {
      for (const writer of [health, counter, results, returns]) await writer.start();
    },
    /** Writes what is left, as far as the database takes it. */
    async stop() {
      for (const writer of [results, health, counter, returns]) await writer.stop();
    },
  };
}
