import { sqlState } from '@frontdesk/database';
import { bisect } from '@frontdesk/fair';
import { type Component, type Logger, loop } from '@frontdesk/service';

const MAX_BACKOFF_MS = 1_000;
/** Data that the database will never take: a value out of its range, a broken constraint. */
const BAD_DATA = /^2[23]/;

export interface BatchWriter<Item> extends Component {
  add(items: readonly Item[]): void;
  start(): Promise<void>;
  /** Writes what is left, as far as the database takes it. */
  stop(): Promise<void>;
}

/**
 * Writes what comes in moment by moment in batches, in its order. A batch that can't be written is tried again for as long as it takes,
 * together with what has come in meanwhile. One item that the database refuses for good keeps no others from being written.
 * @param options.maxItems of one batch
 * @param options.gatherMs the first waits so long for others
 * @param options.merge combines waiting items, so that they stay few while the database is away
 * @param options.onRefused what is refused for good, and logged: a delivery whose result is refused is sent again when its lease has run out
 */
export function createBatchWriter<Item>(options: {
  name: string;
  maxItems: number;
  gatherMs: number;
  merge?: (items: readonly Item[]) => Item[];
  write: (items: readonly Item[]) => Promise<void>;
  onRefused: (item: Item) => void;
  logger: Logger;
}): BatchWriter<Item> {
  const { name, maxItems, gatherMs, merge, write, onRefused, logger } = options;
  let waiting: Item[] = [];
  let gathering: NodeJS.Timeout | undefined;

  const writeBatch = async () => {
    if (merge) waiting = merge(waiting);
    const settled = (count: number) => {
      waiting = waiting.slice(count);
    };
    await bisect(waiting.slice(0, maxItems), {
      async take(batch) {
        try {
          await write(batch);
        } catch (error) {
          if (BAD_DATA.test(sqlState(error) ?? '')) return error;
          throw error;
        }
        settled(batch.length);
        return null;
      },
      setAside(item, error) {
        settled(1);
        logger.error({ err: error, writer: name }, 'the database refuses to keep this');
        onRefused(item);
      },
    });
    return waiting.length > 0;
  };
  const wake = () => {
    gathering = undefined;
    worker.wake();
  };
  const worker = loop({
    name,
    intervalMs: MAX_BACKOFF_MS,
    maxBackoffMs: MAX_BACKOFF_MS,
    logger,
    run: writeBatch,
  });

  return {
    name,
    start: () => worker.start(),
    async stop() {
      clearTimeout(gathering);
      await worker.stop();
      try {
        while (await writeBatch());
      } catch (error) {
        logger.error({ err: error, writer: name, items: waiting.length }, 'not written before the stop');
      }
    },
    add(items) {
      for (const item of items) waiting.push(item);
      if (waiting.length >= maxItems) worker.wake();
      else if (items.length > 0) gathering ??= setTimeout(wake, gatherMs);
    },
  };
}
