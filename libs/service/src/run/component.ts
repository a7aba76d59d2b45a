import type { Logger } from './logging.ts';

/**
 * One thing a service is made of: a database, a consumer, a port. Parts start in order and stop in reverse.
 * `start` of a component that needs Kafka or Redis never waits for it: it connects in the background and says so in `ready`.
 */
export interface Component {
  name: string;
  start?(): Promise<void>;
  stop?(): Promise<void>;
  /** The process will stop soon: nothing is refused yet, but whoever asks is sent elsewhere from now on. */
  drain?(): void;
  /** Rejects when an engine refuses the service before it has ever let it in: the service ends, as waiting would not help. */
  refused?: Promise<never>;
  /** Null when fine, else the name of what is missing, for example `kafka`. */
  ready?(): string | null | Promise<string | null>;
}

/** Starts the components in order. When one fails, those already up are stopped again and its error is thrown. */
export async function startComponents(
  components: readonly Component[],
  logger: Logger,
): Promise<{ stop(): Promise<void> }> {
  const started: Component[] = [];
  const stop = () => stopComponents(started.reverse(), logger);
  for (const component of components) {
    started.push(component);
    try {
      await component.start?.();
    } catch (error) {
      await stop();
      throw error;
    }
  }
  return { stop };
}

/** Every component gets its turn, whatever the ones before it did: a failed stop must not leak the rest. */
async function stopComponents(components: readonly Component[], logger: Logger): Promise<void> {
  for (const component of components) {
    try {
      await component.stop?.();
    } catch (error) {
      logger.error({ err: error, component: component.name }, 'component failed to stop');
    }
  }
}
