import { EngineAccessError, isTlsFault, type Logger } from '@frontdesk/service';

const NO_RIGHT = new Set([
  'TOPIC_AUTHORIZATION_FAILED',
  'GROUP_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
]);
/** A broker that knows no users, or lets them in another way. */
const NO_LOGIN = new Set(['UNSUPPORTED_SASL_MECHANISM', 'ILLEGAL_SASL_STATE']);

type KafkaError = Error & { type?: string; code?: string; cause?: KafkaError };

function causesOf(error: unknown): KafkaError[] {
  const causes: KafkaError[] = [];
  for (let cause = error as KafkaError | undefined; cause; cause = cause.cause) causes.push(cause);
  return causes;
}

/**
 * Whether Kafka was reached and doesn't let this service in: the line that says so. Null for a Kafka that is away.
 * @param purpose what the service wanted, for example `to write appointments`
 */
export function kafkaAccessError(error: unknown, purpose: string): Error | null {
  for (const cause of causesOf(error)) {
    if (cause instanceof EngineAccessError || cause.message.startsWith('ENGINE_PASSWORDS_FILE: '))
      return cause;
    if (isTlsFault(cause)) return new EngineAccessError('KAFKA_CA_FILE', cause);
    const { type = '', message } = cause;
    if (NO_LOGIN.has(type)) return new EngineAccessError('KAFKA_USERNAME', cause);
    if (NO_RIGHT.has(type))
      return new EngineAccessError('KAFKA_USERNAME', { message: `${message} It has no right ${purpose}.` });
  }
  return null;
}

/** A broker closes the connection of a client that does not use its listener's protocol (TLS, SASL), and also when it stops: only a hint. */
export function closedHint(error: unknown): string | null {
  const isClosed = causesOf(error).some(
    ({ name, code }) => name === 'KafkaJSConnectionClosedError' || code === 'ECONNRESET',
  );
  return isClosed
    ? 'Kafka closes the connection: do KAFKA_USERNAME and KAFKA_CA_FILE fit its listener?'
    : null;
}

/** Warns of the first closed connection among failed tries. */
export function closedWarning(logger: Logger): (error: unknown) => void {
  let isSaid = false;
  return (error) => {
    const hint = isSaid ? null : closedHint(error);
    if (!hint) return;
    isSaid = true;
    logger.warn(hint);
  };
}
