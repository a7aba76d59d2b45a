import { PostgreSqlContainer } from '@testcontainers/postgresql';
import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer, Wait } from 'testcontainers';
import { KAFKA_SETTINGS, SECURE_SETTINGS } from './kafka-settings.ts';
import { setUserArguments, userSettings } from './kafka-users.ts';
import { memoryBound, redisAddress } from './redis.ts';
import { kafkaVersion } from './requirements.js';
import type { Engine, LocalStart } from './types.ts';
import { volumeName } from './volumes.ts';

type BindMount = Parameters<GenericContainer['withBindMounts']>[0][number];

const ENGINES = ['postgres', 'redis', 'kafka'];

const KAFKA_PORT_INSIDE = 9094;

export async function hasContainers(): Promise<boolean> {
  return getContainerRuntimeClient().then(
    () => true,
    () => false,
  );
}

export async function startPostgresContainer(start: LocalStart): Promise<Engine> {
  start.progress('Starting PostgreSQL in a container …');
  const container = await new PostgreSqlContainer('postgres:17')
    .withUsername('postgres')
    .withPassword(start.postgresPassword)
    .withDatabase('postgres')
    .withEnvironment({ POSTGRES_INITDB_ARGS: '--locale-provider=builtin --builtin-locale=C.UTF-8' })
    .withCommand(['postgres', '-c', 'max_connections=200', '-c', `fsync=${start.durable ? 'on' : 'off'}`])
    .withExposedPorts({ container: 5432, host: start.ports.postgres })
    .withBindMounts(mounts(start, 'postgres', '/var/lib/postgresql/data'))
    .start();
  return engine(container, container.getConnectionUri());
}

export async function startRedisContainer(start: LocalStart): Promise<Engine> {
  start.progress('Starting Redis in a container …');
  const users = start.redisUsers && { target: '/etc/redis-users.acl', content: start.redisUsers.aclFile };
  const container = await new GenericContainer('redis:7')
    .withCommand([
      ...['redis-server', '--appendonly', 'yes', ...memoryBound(start)],
      ...(users ? ['--aclfile', users.target] : []),
    ])
    .withCopyContentToContainer(users ? [users] : [])
    .withExposedPorts({ container: 6379, host: start.ports.redis })
    .withBindMounts(mounts(start, 'redis', '/data'))
    .withWaitStrategy(Wait.forLogMessage('Ready to accept connections'))
    .start();
  return engine(container, redisAddress(start).replace('127.0.0.1', container.getHost()));
}

export async function startKafkaContainer(start: LocalStart): Promise<Engine> {
  start.progress('Starting Kafka in a container …');
  const { kafka } = start.ports;
  const settings = { ...KAFKA_SETTINGS, ...(start.kafkaUsers && SECURE_SETTINGS) };
  const container = await new GenericContainer(`apache/kafka:${kafkaVersion}`)
    .withEnvironment({
      ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [variable(name), value])),
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_INTER_BROKER_LISTENER_NAME: 'LOCAL',
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: `LOCAL:PLAINTEXT,CLIENTS:${start.kafkaUsers ? 'SASL_PLAINTEXT' : 'PLAINTEXT'},CONTROLLER:PLAINTEXT`,
      KAFKA_LISTENERS: `LOCAL://localhost:9092,CONTROLLER://localhost:9093,CLIENTS://:${KAFKA_PORT_INSIDE}`,
      KAFKA_ADVERTISED_LISTENERS: `LOCAL://localhost:9092,CLIENTS://127.0.0.1:${kafka}`,
      KAFKA_LOG_DIRS: '/var/lib/kafka/data',
    })
    .withExposedPorts({ container: KAFKA_PORT_INSIDE, host: kafka })
    .withBindMounts(mounts(start, 'kafka', '/var/lib/kafka/data'))
    .withWaitStrategy(Wait.forLogMessage('Kafka Server started'))
    .withStartupTimeout(90_000)
    .start();
  const started = engine(container, `127.0.0.1:${kafka}`);
  return start.kafkaUsers ? { ...started, setUser: userSetter(container) } : started;
}

const userSetter = (container: StartedTestContainer) => async (user: string, password: string) => {
  const target = '/tmp/user.properties';
  await container.copyContentToContainer([{ content: userSettings(password), target, mode: 0o644 }]);
  const tool = ['/opt/kafka/bin/kafka-configs.sh', ...setUserArguments(user, 'localhost:9092', target)];
  const { exitCode, output } = await container.exec(tool);
  await container.exec(['rm', target], { user: 'root' });
  if (exitCode !== 0) throw new Error(`Kafka took no user ${user}: ${output.trim()}`);
};

function engine(container: StartedTestContainer, address: string): Engine {
  return {
    address,
    stop: async () => {
      await container.stop({ timeout: 10_000 });
    },
  };
}

/** `message.max.bytes` is KAFKA_MESSAGE_MAX_BYTES to the image; a hyphen is three underscores. */
function variable(setting: string): string {
  return `KAFKA_${setting.replaceAll('-', '___').replaceAll('.', '_').toUpperCase()}`;
}

/** Containers keep what they write in volumes that outlive them; for tests in none. */
function mounts(start: LocalStart, engine: string, target: string): BindMount[] {
  return start.durable ? [{ source: volumeName(start.directory, engine), target }] : [];
}

export async function removeVolumes(directory: string): Promise<void> {
  const { container } = await getContainerRuntimeClient();
  const names = ENGINES.map((engine) => volumeName(directory, engine));
  await Promise.all(names.map((name) => container.dockerode.getVolume(name).remove({ force: true })));
}
