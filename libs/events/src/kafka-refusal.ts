import { EngineRefusal, isTlsFault } from '@frontdesk/service';
import type { KafkaClient } from './kafka-client.ts';

const NO_RIGHT = new Set([
  'TOPIC_AUTHORIZATION_FAILED',
  'GROUP_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
]);
/** A broker that knows no users, or lets them in another way. */
const NO_LOGIN = new Set(['UNSUPPORTED_SASL_MECHANISM', 'ILLEGAL_SASL_STATE']);

type KafkaError = Error & { type?: string; cause?: KafkaError };

/**
 * Whether Kafka was reached and doesn't let this service in: the line that says so. Null for a Kafka that is away.
 * @param purpose what the service wanted, for example `to write appointments`
 */
export function kafkaRefusal(error: unknown, purpose: string): Error | null {
  for (let cause = error as KafkaError | undefined; cause; cause = cause.cause) {
    if (cause instanceof EngineRefusal || cause.message.startsWith('ENGINE_PASSWORDS_FILE: ')) return cause;
    if (isTlsFault(cause)) return new EngineRefusal('KAFKA_CA_FILE', cause);
    const { type = '', message } = cause;
    if (NO_LOGIN.has(type)) return new EngineRefusal('KAFKA_USERNAME', cause);
    if (NO_RIGHT.has(type))
      return new EngineRefusal('KAFKA_USERNAME', { message: `${message} It has no right ${purpose}.` });
  }
  return null;
}

/**
 * Where a group's coordinator isn't found, kafkajs tells why to its debug log alone.
 * @returns the reason, as far as Kafka says one; the error itself otherwise
 */
export async function withReason(error: unknown, kafka: KafkaClient, group: string): Promise<unknown> {
  if ((error as Error).name !== 'KafkaJSGroupCoordinatorNotFound') return error;
  let reason: unknown = error;
  const admin = kafka.admin(({ message, error: told }) => {
    if (message === 'Tried to find group coordinator') reason = told;
  });
  try {
    await admin.connect();
    await admin.fetchOffsets({ groupId: kafka.nameOf(group) });
  } catch {
    // That it isn't found is known.
  } finally {
    await admin.disconnect();
  }
  return reason;
}
