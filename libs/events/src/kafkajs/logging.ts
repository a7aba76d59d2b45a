import type { Logger } from '@frontdesk/service';
import type { logCreator } from 'kafkajs';

/** What these say at each try, the publisher and the consumer say once for all. */
const REPETITIVE = new Set(['Connection', 'BrokerPool']);

/** Ordinary life that kafkajs calls an error: a broker that has just started, a group whose members change. */
const ORDINARY =
  /coordinator is (loading|not available)|rebalanc|Limiting retries|authentication failed|^Crash: /i;

/**
 * Hands kafkajs's lines to our logger: warnings at most, for whatever it retries is no error yet.
 *
 * Its list of ordinary lines can go once https://github.com/tulios/kafkajs/issues/1468 is closed.
 */
export function kafkaLogCreator(logger: Logger): logCreator {
  return () =>
    ({ namespace, log }) => {
      const { message, timestamp: _, logger: __, ...details } = log;
      const isNoise =
        REPETITIVE.has(namespace) || ORDINARY.test(message) || ORDINARY.test(String(details.error));
      logger[isNoise ? 'debug' : 'warn']({ kafka: { namespace, ...details } }, message);
    };
}
