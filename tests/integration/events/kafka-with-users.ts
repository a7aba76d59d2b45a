import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventService, Topic } from '@frontdesk/contracts';
import {
  createConsumer,
  createKafkaClient,
  createPublisher,
  type KafkaAccess,
  kafkaSettings,
} from '@frontdesk/events';
import { freePorts, removeEngineData, startEngines } from '@frontdesk/local-stack';
import { type Component, createMetrics } from '@frontdesk/service';
import { prepareKafka } from '../../../scripts/migrate/prepare-kafka.ts';
import { ensureEnginePasswords } from '../../../scripts/start/engines/engine-passwords.ts';
import { KAFKA_ADMINISTRATOR, kafkaPasswords } from '../../../scripts/start/engines/kafka-user-files.ts';
import { ensureKafkaUsers, kafkaLogin } from '../../../scripts/start/engines/kafka-users.ts';
import { keyFilesIn } from '../../../scripts/start/keys/identity-keys.ts';
import { makeCertificate } from '../../support/certificate.ts';
import { collectDeadLetters, engines, eventually, logger, progressBox } from '../../support/index.ts';
import { PATIENT_KAFKA } from '../../support/topics.ts';

interface Replaced {
  KAFKA_CA_FILE?: string;
  ENGINE_PASSWORDS_FILE?: string;
}

/**
 * A Kafka of its own with TLS, and a user with rights for each service. `before` fills it while it has no users yet and lets everybody
 * in, as an earlier release did.
 */
export async function startKafkaWithUsers({
  before,
}: {
  before?: (access: KafkaAccess) => Promise<void>;
} = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'kafka-users-'));
  const files = keyFilesIn(directory);
  await ensureEnginePasswords(files);
  const passwords = await kafkaPasswords(files);
  const certificate = await makeCertificate();
  const certificateFile = join(directory, 'broker.pem');
  await writeFile(certificateFile, `${certificate.key}${certificate.cert}`);
  const [kafka = 0, kafkaController = 0, kafkaLocal = 0] = await freePorts(3);
  const { databaseUrl, redisUrl } = engines();
  const launch = (kafkaUsers?: { passwords: Record<string, string>; certificateFile: string }) =>
    startEngines({
      directory: join(directory, 'data'),
      ports: { postgres: 0, redis: 0, kafka, kafkaController, kafkaLocal },
      env: { ...process.env, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, KAFKA_BROKERS: undefined },
      ...(kafkaUsers && { kafkaUsers }),
    });

  if (before) {
    const open = await launch();
    await before({ brokers: [open.kafkaBrokers] });
    await open.stop();
  }
  const own = await launch({ passwords, certificateFile });
  const { kafkaBrokers, setKafkaUser: setUser } = own;
  if (!setUser) throw new Error('This Kafka lets everybody in.');
  await ensureKafkaUsers({
    engines: { kafkaBrokers, setKafkaUser: setUser },
    passwords,
    caFile: certificate.certFile,
    logger,
  });
  const administrator: KafkaAccess = {
    brokers: [kafkaBrokers],
    login: kafkaLogin(KAFKA_ADMINISTRATOR, passwords[KAFKA_ADMINISTRATOR] ?? ''),
    caFile: certificate.certFile,
  };
  await eventually(() => prepareKafka({ access: administrator, logger }));

  const parts: Component[] = [];
  const added = <Part extends Component>(part: Part): Part => {
    parts.push(part);
    return part;
  };
  const client = (access: Partial<KafkaAccess>) =>
    createKafkaClient({
      brokers: [kafkaBrokers],
      clientId: 'test',
      logger,
      bounds: PATIENT_KAFKA,
      ...access,
    });
  /** A client as the environment of the service describes it. */
  const as = (service: string, replaced: Replaced = {}) =>
    client(
      kafkaSettings({
        KAFKA_BROKERS: [kafkaBrokers],
        KAFKA_PREFIX: '',
        KAFKA_USERNAME: service,
        KAFKA_CA_FILE: certificate.certFile,
        EVENT_LINGER_MS: 0,
        ENGINE_PASSWORDS_FILE: files.servicePasswords(service as EventService),
        ...replaced,
      }),
    );
  return {
    directory,
    files,
    certificate,
    kafkaBrokers,
    administrator,
    setUser,
    client,
    as,
    /** Where Kafka asks for no user and encrypts nothing. */
    openBroker: `127.0.0.1:${kafkaLocal}`,
    publisher: (options: Parameters<typeof createPublisher>[0]) => added(createPublisher(options)),
    publisherOf: (service: string, topics: Topic[], replaced?: Replaced) =>
      added(createPublisher({ kafka: as(service, replaced), topics, logger })),
    consumerOf: (
      service: EventService,
      group: string,
      topics: Topic[],
      seen: (events: unknown[]) => void = () => {},
    ) =>
      added(
        createConsumer({
          kafka: as(service),
          group,
          topics,
          logger,
          metrics: createMetrics(),
          deadLetters: collectDeadLetters(),
          progress: progressBox(),
          apply: async (events) => seen(events),
        }),
      ),
    /** Stops publishers and consumers. */
    async stopParts() {
      for (const part of parts.splice(0)) await part.stop?.();
    },
    async stop() {
      await own.stop();
      await removeEngineData(join(directory, 'data'));
      await certificate.remove();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export type KafkaWithUsers = Awaited<ReturnType<typeof startKafkaWithUsers>>;
