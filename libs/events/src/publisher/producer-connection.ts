import { createFairQueue, endsWithin, keepTrying, within } from '@frontdesk/fair';
import type { Logger } from '@frontdesk/service';
import type { Producer, TopicMessages } from 'kafkajs';
import { closedWarning, kafkaAccessError } from '../kafka/kafka-access-error.ts';
import type { KafkaClient } from '../kafka/kafka-client.ts';

export interface ProducerConnection {
  /** Begins to connect, for ever, and returns at once. */
  start(): void;
  /** Resolves once all in-sync replicas have the messages. After a rejection they may have arrived all the same. */
  send(topicMessages: TopicMessages[]): Promise<void>;
  /** Rejects where Kafka refuses this service before it has ever let it in. */
  refused: Promise<never>;
  /** Whether Kafka was ever reached. */
  hasConnected(): boolean;
  /** Whether it was there at the last send. */
  isConnected(): boolean;
  /** Waits for what is being sent, within a bound. */
  stop(): Promise<void>;
}

/**
 * A producer that is always there or being connected, and is replaced after every failed send: kafkajs would reuse the
 * sequence numbers of messages that may have arrived, and the broker takes other messages under the same numbers
 * for duplicates and drops them. For the same reason sends go one at a time.
 * @param prepare done before each connection, for example a look for its topics
 */
export function createProducerConnection(options: {
  kafka: KafkaClient;
  logger: Logger;
  prepare?: () => Promise<void>;
  /** What it wants of Kafka, for the line that says that it may not. */
  purpose: string;
}): ProducerConnection {
  const { kafka, logger, prepare = async () => {}, purpose } = options;
  const { connectWaitMs, sendTimeoutMs, publisherStopTimeoutMs } = kafka.bounds;
  const stopping = new AbortController();
  const warnIfClosed = closedWarning(logger);
  const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
  refused.catch(() => {}); // for those that don't wait for it
  let producer: Producer | undefined;
  let hasConnected = false;
  let connecting: Promise<void> = Promise.resolve();
  const sends = createFairQueue<'send'>({ places: 1 });

  const connectOnce = async () => {
    await prepare();
    const next = kafka.producer();
    try {
      await next.connect();
    } catch (error) {
      await next.disconnect();
      throw error;
    }
    // Nobody waits for it any more.
    if (stopping.signal.aborted) return next.disconnect();
    producer = next;
    hasConnected = true;
    logger.info('connected to Kafka');
  };

  const connect = () =>
    keepTrying(connectOnce, {
      signal: stopping.signal,
      onFailure(error, failures) {
        const refusal = hasConnected ? null : kafkaAccessError(error, purpose);
        if (refusal) refuse(refusal);
        if (failures === 1) logger.warn({ err: error }, 'cannot publish to Kafka, trying on');
        if (!hasConnected) warnIfClosed(error);
      },
    });

  const replace = (failed: Producer, sending: Promise<unknown>) => {
    producer = undefined;
    connecting = connect();
    const settled = sending.catch(() => {});
    void settled.then(() => failed.disconnect()).catch(() => {});
  };

  const sendNow = async (topicMessages: TopicMessages[]) => {
    if (!producer) await endsWithin(connectWaitMs, connecting);
    const current = producer;
    if (!current) throw new Error('Kafka is not connected.');
    const sending = current.sendBatch({ topicMessages });
    try {
      await within(sendTimeoutMs, sending, () => {
        throw new Error('Kafka did not answer in time.');
      });
    } catch (error) {
      replace(current, sending);
      throw error;
    }
  };

  return {
    refused,
    start() {
      connecting = connect();
    },
    send: (topicMessages) => sends.run('send', () => sendNow(topicMessages)),
    hasConnected: () => hasConnected,
    isConnected: () => producer !== undefined,
    async stop() {
      stopping.abort();
      const sent = sends.run('send', async () => {});
      await endsWithin(publisherStopTimeoutMs, Promise.all([connecting, sent]));
      const last = producer;
      producer = undefined;
      if (last) await endsWithin(publisherStopTimeoutMs, last.disconnect());
    },
  };
}
