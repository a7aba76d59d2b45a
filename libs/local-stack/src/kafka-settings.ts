import type { EnginePorts, KafkaUsers } from './types.ts';

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

/**
 * Clients log in; the broker itself and its administrator's tools come over the listener LOCAL, which is on loopback as the
 * controller's is, and where nobody is asked. Nobody but them may do what no right says.
 */
export const SECURE_SETTINGS = {
  'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  'super.users': 'User:admin;User:ANONYMOUS',
  'sasl.enabled.mechanisms': 'SCRAM-SHA-512',
  'listener.name.clients.scram-sha-512.sasl.jaas.config':
    'org.apache.kafka.common.security.scram.ScramLoginModule required;',
  'inter.broker.listener.name': 'LOCAL',
};

/** The server.properties of one KRaft node on 127.0.0.1. */
export function serverProperties(ports: EnginePorts, dataDirectory: string, users?: KafkaUsers): string {
  const { listeners, protocols, settings } = users ? secured(ports, users) : open(ports);
  const controller = `CONTROLLER://127.0.0.1:${ports.kafkaController}`;
  const properties = {
    ...KAFKA_SETTINGS,
    ...settings,
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@127.0.0.1:${ports.kafkaController}`,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': `${protocols},CONTROLLER:PLAINTEXT`,
    listeners: `${listeners},${controller}`,
    'advertised.listeners': listeners,
    'log.dirs': dataDirectory,
  };
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

const open = ({ kafka }: EnginePorts) => ({
  listeners: `PLAINTEXT://127.0.0.1:${kafka}`,
  protocols: 'PLAINTEXT:PLAINTEXT',
  settings: {},
});

const secured = (ports: EnginePorts, { certificateFile }: KafkaUsers) => ({
  listeners: `CLIENTS://127.0.0.1:${ports.kafka},LOCAL://127.0.0.1:${kafkaLocalPort(ports)}`,
  protocols: `CLIENTS:${certificateFile ? 'SASL_SSL' : 'SASL_PLAINTEXT'},LOCAL:PLAINTEXT`,
  settings: {
    ...SECURE_SETTINGS,
    ...(certificateFile && {
      'listener.name.clients.ssl.keystore.type': 'PEM',
      'listener.name.clients.ssl.keystore.location': certificateFile,
    }),
  },
});

/** @throws Error where a Kafka with users was given no port for itself */
export function kafkaLocalPort({ kafkaLocal }: EnginePorts): number {
  if (kafkaLocal === undefined) throw new Error('A Kafka with users needs the port kafkaLocal.');
  return kafkaLocal;
}
