import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EVENT_RIGHTS, type EventService, TOPICS, type Topic } from '@frontdesk/contracts';
import { createKafkaClient, type KafkaAccess, withAdmin } from '@frontdesk/events';
import {
  type AclEntry,
  AclOperationTypes,
  AclPermissionTypes,
  AclResourceTypes,
  ResourcePatternTypes,
} from 'kafkajs';
import { prepareKafka } from '../../../scripts/migrate/prepare-kafka.ts';
import { kafkaPasswords } from '../../../scripts/start/engines/kafka-user-files.ts';
import { eventually, logger } from '../../support/index.ts';
import { PATIENT_KAFKA } from '../../support/topics.ts';
import { type KafkaWithUsers, startKafkaWithUsers } from './kafka-with-users.ts';
import { customerEvent, recordOf } from './kafka-world.ts';

// Two brokers are started one after the other, and Kafka's own tool makes each user.
jest.setTimeout(600_000);

const SERVICES = Object.keys(EVENT_RIGHTS) as EventService[];
const ALL_TOPICS = Object.keys(TOPICS) as Topic[];
const READERS = SERVICES.filter((service) => Object.keys(EVENT_RIGHTS[service].reads).length > 0);
const GROUPS = READERS.flatMap((service) => Object.keys(EVENT_RIGHTS[service].reads));

let kafka: KafkaWithUsers;
beforeAll(async () => {
  kafka = await startKafkaWithUsers({ before: publishFirstEvent });
});
afterEach(() => kafka.stopParts());
afterAll(() => kafka.stop());

async function publishFirstEvent(access: KafkaAccess): Promise<void> {
  await eventually(() => prepareKafka({ access, logger }));
  const producer = createKafkaClient({
    ...access,
    clientId: 'test',
    logger,
    bounds: PATIENT_KAFKA,
  }).producer();
  await producer.connect();
  const { topic, ...message } = recordOf(customerEvent(1, 1));
  await eventually(() => producer.send({ topic, messages: [message] }));
  // Every topic has something to read, which consumers skip.
  for (const each of ALL_TOPICS)
    await eventually(() => producer.send({ topic: each, messages: [{ key: '1:1', value: null }] }));
  await producer.disconnect();
}

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
  const consumer = kafka.as(service).consumer({ groupId: group });
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
    const consumer = kafka.consumerOf(
      'webhooks',
      'webhooks',
      ['customers', 'appointments', 'calls'],
      (events) => seen.push(...events),
    );
    await consumer.start();
    await eventually(() => expect(seen).toMatchObject([{ type: 'customer.created', aggregate_id: 1 }]));
  });

  it.each(SERVICES)('%s writes its topics and no other', async (service) => {
    const allowed: Topic[] = [];
    for (const topic of ALL_TOPICS) {
      const write = async () => {
        const producer = kafka.as(service).producer();
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

    await withAdmin(kafka.as(service), async (admin) => {
      await expect(admin.createTopics({ topics: [{ topic: 'mine' }] })).rejects.toThrow(
        'Topic creation errors',
      );
      await expect(admin.deleteTopics({ topics: ['tenants'] })).rejects.toThrow(/authoriz/i);
    });
  });

  it('lose rights that are not theirs, and keep what an operator denies', async () => {
    const right: Omit<AclEntry, 'permissionType'> = {
      principal: 'User:crm',
      host: '192.0.2.1',
      operation: AclOperationTypes.READ,
      resourceType: AclResourceTypes.TOPIC,
      resourceName: 'calls',
      resourcePatternType: ResourcePatternTypes.LITERAL,
    };
    const { ALLOW, ANY, DENY } = AclPermissionTypes;
    await withAdmin(kafka.client(kafka.administrator), async (admin) => {
      await admin.createAcls({ acl: [ALLOW, DENY].map((permissionType) => ({ ...right, permissionType })) });
      await prepareKafka({ access: kafka.administrator, logger });
      await eventually(async () => {
        const { resources } = await admin.describeAcls({ ...right, permissionType: ANY });
        expect(resources).toMatchObject([{ acls: [{ permissionType: DENY }] }]);
      });
    });
  });

  it('take a new password while their services run, and lose no connection', async () => {
    const passwordsFile = join(kafka.directory, 'replaced.json');
    const { crm: first = '' } = await kafkaPasswords(kafka.files);
    await writeFile(passwordsFile, JSON.stringify({ kafka: first }));
    const over = { ENGINE_PASSWORDS_FILE: passwordsFile };
    const running = kafka.as('crm', over);
    const publisher = kafka.publisherOf('crm', ['customers'], over);
    await publisher.start();
    await eventually(() => expect(publisher.ready()).toBeNull());
    /** A connection that was there, and several new ones at once. */
    const works = async () => {
      await publisher.publish([recordOf(customerEvent(2, 1))]);
      const started = kafka.as('crm', over);
      const added = [running, running, running, started, started, started].map((client) =>
        kafka.publisher({ kafka: client, topics: ['customers'], logger }),
      );
      await Promise.all(added.map((each) => each.start()));
      for (const { ready, refused } of added)
        await Promise.race([refused, eventually(() => expect(ready()).toBeNull())]);
    };
    await works();
    await writeFile(passwordsFile, JSON.stringify({ kafka: 'second', previous: { kafka: first } }));
    await works();
    await kafka.setUser('crm', 'second');
    await works();
    await writeFile(passwordsFile, JSON.stringify({ kafka: 'second' }));
    // Brokers apply it some time after they have confirmed it.
    await eventually(() => withAdmin(kafka.as('crm', over), async () => {}));
    await works();
    await kafka.setUser('crm', first);
  });
});
