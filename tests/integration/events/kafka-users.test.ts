import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { EVENT_RIGHTS, type EventService, TOPICS, type Topic } from '@frontdesk/contracts';
import {
  createConsumer,
  createKafkaClient,
  createPublisher,
  type KafkaAccess,
  kafkaSettings,
} from '@frontdesk/events';
import { type Engines, freePorts, removeEngineData, startEngines } from '@frontdesk/local-stack';
import { type Component, createMetrics } from '@frontdesk/service';
import {
  type AclEntry,
  AclOperationTypes,
  AclPermissionTypes,
  AclResourceTypes,
  ResourcePatternTypes,
} from 'kafkajs';
import { prepareKafka } from '../../../scripts/migrate/prepare-kafka.ts';
import { ensureEnginePasswords } from '../../../scripts/start/engine-passwords.ts';
import { keyFilesIn } from '../../../scripts/start/identity-keys.ts';
import { KAFKA_ADMINISTRATOR, kafkaPasswords } from '../../../scripts/start/kafka-user-files.ts';
import { ensureKafkaUsers, kafkaLogin } from '../../../scripts/start/kafka-users.ts';
import { migrations } from '../../../services/crm/src/data/migrations/index.ts';
import { makeCertificate, type TestCertificate } from '../../support/certificate.ts';
import {
  collectDeadLetters,
  createTestDatabase,
  engines,
  eventually,
  identityKeys,
  logger,
  progressBox,
} from '../../support/index.ts';
import { customerEvent, recordOf } from './kafka-world.ts';

// Two brokers are started one after the other, and Kafka's own tool makes each user.
jest.setTimeout(600_000);

const ENTRY = 'services/crm/src/main.ts';
const SERVICES = Object.keys(EVENT_RIGHTS) as EventService[];
const ALL_TOPICS = Object.keys(TOPICS) as Topic[];
const READERS = SERVICES.filter((service) => Object.keys(EVENT_RIGHTS[service].reads).length > 0);
const GROUPS = READERS.flatMap((service) => Object.keys(EVENT_RIGHTS[service].reads));

let directory: string;
let files: ReturnType<typeof keyFilesIn>;
let own: Engines;
/** Where nobody is asked who they are, and nothing is encrypted. */
let openBroker: string;
let administrator: KafkaAccess;
let certificate: TestCertificate;
let other: TestCertificate;
const parts: Component[] = [];

/** A Kafka of an earlier release, which let everybody in, with one event; then with users, rights and TLS on the same data. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kafka-users-'));
  files = keyFilesIn(directory);
  await ensureEnginePasswords(files);
  const passwords = await kafkaPasswords(files);
  [certificate, other] = await Promise.all([makeCertificate(), makeCertificate()]);
  const [kafka = 0, kafkaController = 0, kafkaLocal = 0] = await freePorts(3);
  openBroker = `127.0.0.1:${kafkaLocal}`;
  const certificateFile = join(directory, 'broker.pem');
  await writeFile(certificateFile, `${certificate.key}${certificate.cert}`);
  const { databaseUrl, redisUrl } = engines();
  const launch = (kafkaUsers?: { passwords: Record<string, string>; certificateFile: string }) =>
    startEngines({
      directory: join(directory, 'data'),
      ports: { postgres: 0, redis: 0, kafka, kafkaController, kafkaLocal },
      env: { ...process.env, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, KAFKA_BROKERS: undefined },
      ...(kafkaUsers && { kafkaUsers }),
    });

  own = await launch();
  await prepareKafka({ access: { brokers: [own.kafkaBrokers] }, logger });
  const producer = client({}).producer();
  await producer.connect();
  const { topic, ...message } = recordOf(customerEvent(1, 1));
  await eventually(() => producer.send({ topic, messages: [message] }));
  // Something to read in each topic, which consumers skip.
  for (const each of ALL_TOPICS)
    await eventually(() => producer.send({ topic: each, messages: [{ key: '1:1', value: null }] }));
  await producer.disconnect();
  await own.stop();

  own = await launch({ passwords, certificateFile });
  await ensureKafkaUsers({ engines: usersOf(own), passwords, caFile: certificate.certFile, logger });
  const login = kafkaLogin(KAFKA_ADMINISTRATOR, passwords[KAFKA_ADMINISTRATOR] ?? '');
  administrator = { brokers: [own.kafkaBrokers], login, caFile: certificate.certFile };
  await prepareKafka({ access: administrator, logger });
});
afterEach(async () => {
  for (const part of parts.splice(0)) await part.stop?.();
});
afterAll(async () => {
  await own.stop();
  await removeEngineData(join(directory, 'data'));
  await Promise.all([certificate.remove(), other.remove(), rm(directory, { recursive: true, force: true })]);
});

function usersOf({ kafkaBrokers, setKafkaUser }: Engines) {
  if (!setKafkaUser) throw new Error('This Kafka lets everybody in.');
  return { kafkaBrokers, setKafkaUser };
}

const client = (access: Partial<KafkaAccess>) =>
  createKafkaClient({ brokers: [own.kafkaBrokers], clientId: 'test', logger, ...access });

/** As the service's environment says. */
const accessOf = (service: string, over: { KAFKA_CA_FILE?: string; ENGINE_PASSWORDS_FILE?: string } = {}) =>
  kafkaSettings({
    KAFKA_BROKERS: [own.kafkaBrokers],
    KAFKA_PREFIX: '',
    KAFKA_USERNAME: service,
    KAFKA_CA_FILE: certificate.certFile,
    ENGINE_PASSWORDS_FILE: files.servicePasswords(service as EventService),
    ...over,
  });

const as = (service: string, over?: Parameters<typeof accessOf>[1]) => client(accessOf(service, over));

const isAuthorization = (error: unknown) => /authoriz/i.test((error as Error).message);

/** Whether Kafka lets it be done; any other fault is tried again. */
const isAllowed = (work: () => Promise<unknown>): Promise<boolean> =>
  eventually(() =>
    work().then(
      () => true,
      (error: unknown) => {
        if (isAuthorization(error)) return false;
        throw error;
      },
    ),
  );

/** A first event, or what stands against it. */
async function readOne(service: EventService, group: string, topic: Topic): Promise<void> {
  const consumer = as(service).consumer({ groupId: group });
  try {
    const read = Promise.withResolvers<void>();
    consumer.on(consumer.events.CRASH, ({ payload }) => read.reject(payload.error));
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    await consumer.run({ autoCommit: false, eachMessage: async () => read.resolve() });
    await read.promise;
  } finally {
    await consumer.disconnect();
  }
}

const groupsOf = (service: EventService): Readonly<Record<string, readonly Topic[]>> =>
  EVENT_RIGHTS[service].reads;

describe('the users of Kafka', () => {
  it('let a consumer read what was there before there were users', async () => {
    const seen: unknown[] = [];
    const consumer = consumerOf('webhooks', 'webhooks', ['customers', 'appointments', 'calls'], (events) =>
      seen.push(...events),
    );
    await consumer.start();
    await eventually(() => expect(seen).toMatchObject([{ type: 'customer.created', aggregate_id: 1 }]));
  });

  it.each(SERVICES)('%s writes its topics and no other', async (service) => {
    const allowed: Topic[] = [];
    for (const topic of ALL_TOPICS) {
      const write = async () => {
        const producer = as(service).producer();
        try {
          await producer.connect();
          await producer.send({ topic, messages: [{ key: '1:1', value: null }] });
        } finally {
          await producer.disconnect();
        }
      };
      if (await isAllowed(write)) allowed.push(topic);
    }
    expect(allowed).toEqual(EVENT_RIGHTS[service].writes);
  });

  it.each(READERS)('%s reads its topics in its groups, and no other', async (service) => {
    const [group = ''] = Object.keys(groupsOf(service));
    const topics = [];
    for (const topic of ALL_TOPICS) {
      if (await isAllowed(() => readOne(service, group, topic))) topics.push(topic);
    }
    expect(topics.toSorted()).toEqual([...new Set(Object.values(groupsOf(service)).flat())].toSorted());
  });

  it.each(SERVICES)('%s joins its groups and no other, and administers nothing', async (service) => {
    const [topic = 'tenants'] = Object.values(groupsOf(service)).flat();
    for (const group of [...GROUPS, 'another']) {
      const join = () => readOne(service, group, topic);
      if (group in groupsOf(service)) await eventually(join);
      else await expect(join()).rejects.toThrow('Failed to find group coordinator');
    }

    const admin = as(service).admin();
    await admin.connect();
    try {
      await expect(admin.createTopics({ topics: [{ topic: 'mine' }] })).rejects.toThrow(
        'Topic creation errors',
      );
      await expect(admin.deleteTopics({ topics: ['tenants'] })).rejects.toThrow(/authoriz/i);
    } finally {
      await admin.disconnect();
    }
  });

  it('lose rights that are not theirs, and keep what an operator denies', async () => {
    const right: Omit<AclEntry, 'permissionType'> = {
      ...{ principal: 'User:crm', host: '192.0.2.1', operation: AclOperationTypes.READ },
      ...{ resourceType: AclResourceTypes.TOPIC, resourceName: 'calls' },
      resourcePatternType: ResourcePatternTypes.LITERAL,
    };
    const { ALLOW, ANY, DENY } = AclPermissionTypes;
    const admin = client(administrator).admin();
    await admin.connect();
    try {
      await admin.createAcls({ acl: [ALLOW, DENY].map((permissionType) => ({ ...right, permissionType })) });
      await prepareKafka({ access: administrator, logger });
      await eventually(async () => {
        const { resources } = await admin.describeAcls({ ...right, permissionType: ANY });
        expect(resources).toMatchObject([{ acls: [{ permissionType: DENY }] }]);
      });
    } finally {
      await admin.disconnect();
    }
  });

  it('take a new password while their services run, and lose no connection', async () => {
    const passwordsFile = join(directory, 'replaced.json');
    const [first = ''] = [(await kafkaPasswords(files)).crm];
    await writeFile(passwordsFile, JSON.stringify({ kafka: first }));
    const over = { ENGINE_PASSWORDS_FILE: passwordsFile };
    const running = as('crm', over);
    const customers = { topics: ['customers' as const], logger };
    const publisher = publisherOf('crm', ['customers'], over);
    await publisher.start();
    await eventually(() => expect(publisher.ready()).toBeNull());
    /** A connection that was there, and several new ones at once. */
    const works = async () => {
      await publisher.publish([recordOf(customerEvent(2, 1))]);
      const started = as('crm', over);
      const added = [running, running, running, started, started, started].map((kafka) =>
        createPublisher({ kafka, ...customers }),
      );
      parts.push(...added);
      await Promise.all(added.map((each) => each.start()));
      for (const { ready, refused } of added)
        await Promise.race([refused, eventually(() => expect(ready()).toBeNull())]);
    };
    await works();
    await writeFile(passwordsFile, JSON.stringify({ kafka: 'second', previous: { kafka: first } }));
    await works();
    await usersOf(own).setKafkaUser('crm', 'second');
    await works();
    await writeFile(passwordsFile, JSON.stringify({ kafka: 'second' }));
    await works();
    await usersOf(own).setKafkaUser('crm', first);
  });
});

describe('a service that Kafka refuses ends in a line that names the variable', () => {
  it.each<[string, () => Refusable, RegExp]>([
    [
      'a wrong authority',
      () => publisherOf('crm', ['customers'], { KAFKA_CA_FILE: other.certFile }),
      /^KAFKA_CA_FILE: .*self-signed certificate/,
    ],
    [
      'a wrong user',
      () => publisherOf('nobody', ['customers'], { ENGINE_PASSWORDS_FILE: files.servicePasswords('crm') }),
      /^KAFKA_USERNAME, ENGINE_PASSWORDS_FILE: .*invalid credentials/,
    ],
    [
      'a wrong password',
      () => publisherOf('crm', ['customers'], { ENGINE_PASSWORDS_FILE: files.servicePasswords('calls') }),
      /^KAFKA_USERNAME, ENGINE_PASSWORDS_FILE: .*invalid credentials/,
    ],
    [
      'no file of passwords',
      () => publisherOf('crm', ['customers'], { ENGINE_PASSWORDS_FILE: '/nowhere.json' }),
      /^ENGINE_PASSWORDS_FILE: \/nowhere.json can't be read/,
    ],
    [
      'no right to a topic',
      () => publisherOf('gateway', ['customers']),
      /^KAFKA_USERNAME: .*no right to write customers/,
    ],
    [
      'no right to a topic of its group',
      () => consumerOf('crm', 'crm.tenants', ['calls']),
      /^KAFKA_USERNAME: .*no right to read calls as group crm\.tenants/,
    ],
  ])('%s', async (_case, part, message) => {
    const { start, refused } = part();
    await start();
    await expect(refused).rejects.toThrow(message);
  });

  it('as its process does, with exit code 1', async () => {
    const database = await createTestDatabase(migrations, 'crm');
    const keys = identityKeys();
    const nobody = 'http://127.0.0.1:9';
    const child = spawn(process.execPath, ['--import', './scripts/start/end-with-parent.ts', ENTRY], {
      env: {
        PATH: process.env.PATH,
        ...{ PORT: '0', INTERNAL_PORT: '0', LOG_LEVEL: 'fatal', DATABASE_URL: database.url },
        ...{ GATEWAY_INTERNAL_URL: nobody, SCHEDULING_INTERNAL_URL: nobody },
        IDENTITY_PUBLIC_KEYS_FILE: keys.publicKeysFile,
        IDENTITY_PRIVATE_KEY_FILE: keys.privateKeyFile('crm'),
        KAFKA_BROKERS: own.kafkaBrokers,
        KAFKA_CA_FILE: certificate.certFile,
        KAFKA_USERNAME: 'crm',
        ENGINE_PASSWORDS_FILE: files.servicePasswords('calls'),
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const output = text(child.stdout as NodeJS.ReadableStream);
    const [code] = await once(child, 'exit');
    await database.drop();
    const lines = (await output).trim().split('\n');
    expect([code, lines.length]).toEqual([1, 1]);
    expect(JSON.parse(lines[0] ?? '').msg).toMatch(/^KAFKA_USERNAME, ENGINE_PASSWORDS_FILE: /);
  });

  it('an authority that is none', () => {
    expect(() => as('crm', { KAFKA_CA_FILE: '/nowhere.pem' })).toThrow(/^KAFKA_CA_FILE: ENOENT/);
    const passwords = files.servicePasswords('crm');
    expect(() => as('crm', { KAFKA_CA_FILE: passwords })).toThrow(/^KAFKA_CA_FILE: there is no certificate/);
  });
});

describe('a service whose connections Kafka closes waits, and warns of the variables', () => {
  it.each<[string, () => Partial<KafkaAccess>]>([
    ['without a user', () => ({ caFile: certificate.certFile })],
    ['with an authority for no TLS', () => ({ brokers: [openBroker], caFile: certificate.certFile })],
  ])('%s', async (_case, access) => {
    const lines: unknown[] = [];
    const warn = (...said: unknown[]) => lines.push(said.at(-1));
    const warned = Object.assign(Object.create(logger), { warn });
    const publisher = createPublisher({ kafka: client(access()), topics: ['customers'], logger: warned });
    parts.push(publisher);
    await publisher.start();
    const names = expect.stringMatching(/KAFKA_USERNAME and KAFKA_CA_FILE/);
    await eventually(() => expect(lines).toContainEqual(names));
  });
});

type Refusable = Pick<Component, 'refused'> & { start(): Promise<void> };

function publisherOf(service: string, topics: Topic[], over?: Parameters<typeof accessOf>[1]) {
  const publisher = createPublisher({ kafka: as(service, over), topics, logger });
  parts.push(publisher);
  return publisher;
}

function consumerOf(
  service: EventService,
  group: string,
  topics: Topic[],
  seen: (events: unknown[]) => void = () => {},
) {
  const consumer = createConsumer({
    ...{ kafka: as(service), group, topics, logger, metrics: createMetrics() },
    deadLetters: collectDeadLetters(),
    progress: progressBox(),
    apply: async (events) => seen(events),
  });
  parts.push(consumer);
  return consumer;
}
