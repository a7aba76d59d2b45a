import type { EnginePorts } from './types.ts';

/** Settings that differ from Kafka's defaults, in every way of running it: the services rely on these. */
export const KAFKA_SETTINGS = {
  'auto.create.topics.enable': 'false',
  'message.max.bytes': '8388608',
  'replica.fetch.max.bytes': '8388608',
  'group.initial.rebalance.delay.ms': '0',
  // Below 6 s, a consumer that was killed holds its partitions for less long.
  'group.min.session.timeout.ms': '1000',
  // After a kill, the broker waits this long until it no longer takes its old self for another one.
  'broker.session.timeout.ms': '3000',
  'broker.heartbeat.interval.ms': '500',
  'offsets.topic.replication.factor': '1',
  'offsets.topic.num.partitions': '8',
  'transaction.state.log.replication.factor': '1',
  'transaction.state.log.min.isr': '1',
  'transaction.state.log.num.partitions': '8',
  'share.coordinator.state.topic.replication.factor': '1',
  'share.coordinator.state.topic.min.isr': '1',
  'log.cleaner.dedupe.buffer.size': '16777216',
};

/** The server.properties of one KRaft node on 127.0.0.1. */
export function serverProperties(ports: EnginePorts, dataDirectory: string): string {
  const broker = `PLAINTEXT://127.0.0.1:${ports.kafka}`;
  const properties = {
    ...KAFKA_SETTINGS,
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@127.0.0.1:${ports.kafkaController}`,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    listeners: `${broker},CONTROLLER://127.0.0.1:${ports.kafkaController}`,
    'advertised.listeners': broker,
    'log.dirs': dataDirectory,
  };
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
