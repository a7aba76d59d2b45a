import { EngineAccessError } from '@frontdesk/service';
import type { KafkaLogin } from './kafka-access.ts';

/** What a broker says of a wrong user or password. kafkajs calls a connection that is lost half way by the same name. */
const INVALID = /invalid credentials/i;

/**
 * What kafkajs logs in with, anew for each client. While a password is being replaced, Kafka knows either the new one or still the
 * earlier one: where it refuses one, the logins from then on bring the other one.
 */
export function kafkaLogins({ username, passwords, variable }: KafkaLogin) {
  let refused: string | undefined;
  return () => {
    let brought: string | undefined;
    let isLast = false;
    return {
      sasl: {
        mechanism: 'scram-sha-512' as const,
        username,
        /** kafkajs reads it at each login. */
        get password() {
          const [current, previous] = passwords();
          brought = previous !== undefined && current === refused ? previous : current;
          // The earlier one was refused before this one is tried, so Kafka can't have changed over in between.
          isLast = brought === current && (previous === undefined || previous === refused);
          return brought;
        },
      },
      /** Takes note of a login that failed. @throws EngineAccessError where no password is left to try, or the error itself */
      failed(error: Error): never {
        if (!INVALID.test(error.message)) throw error;
        refused = brought;
        throw isLast ? new EngineAccessError(`KAFKA_USERNAME, ${variable}`, error) : error;
      },
    };
  };
}
