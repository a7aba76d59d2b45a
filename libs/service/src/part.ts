import type { Logger } from './logging.ts';

/**
 * One thing a service is made of: a database, a consumer, a port. Parts start in order and stop in reverse.
 * `start` of a part that needs Kafka or Redis never waits for it: it connects in the background and says so in `ready`.
 */
export interface Part {
  name: string;
  start?(): Promise<void>;
  stop?(): Promise<void>;
  /** Null when fine, else the name of what is missing, for example `kafka`. */
  ready?(): string | null | Promise<string | null>;
}

/** Starts the parts in order. When one fails, those already up are stopped again and its error is thrown. */
export async function startParts(parts: readonly Part[], logger: Logger): Promise<{ stop(): Promise<void> }> {
  const started: Part[] = [];
  const stop = () => stopParts(started.reverse(), logger);
  for (const part of parts) {
    started.push(part);
    try {
      await part.start?.();
    } catch (error) {
      await stop();
      throw error;
    }
  }
  return { stop };
}

/** Every part gets its turn, whatever the ones before it did: a failed stop must not leak the rest. */
async function stopParts(parts: readonly Part[], logger: Logger): Promise<void> {
  for (const part of parts) {
    try {
      await part.stop?.();
    } catch (error) {
      logger.error({ err: error, part: part.name }, 'part failed to stop');
    }
  }
}
