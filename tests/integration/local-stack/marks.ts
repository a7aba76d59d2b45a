import { withAdmin } from '@frontdesk/events';
import type { Engines } from '@frontdesk/local-stack';
import { Redis } from 'ioredis';
import { Kafka, logLevel } from 'kafkajs';
import { Client } from 'pg';
import { eventually } from '../../support/index.ts';

type Addresses = Omit<Engines, 'stop'>;

const TOPIC = 'marks';

/** Leaves a value in each engine. */
export async function writeMark(engines: Addresses, mark: string): Promise<void> {
  await inPostgres(engines, async (client) => {
    await client.query('CREATE TABLE IF NOT EXISTS marks (mark text)');
    await client.query('INSERT INTO marks VALUES ($1)', [mark]);
  });
  await inRedis(engines, (redis) => redis.set('mark', mark));
  const kafka = kafkaOf(engines);
  const producer = kafka.producer();
  await withAdmin(kafka, async (admin) => {
    // kafkajs asks for the leader once, and gives up where there is none yet.
    await admin.createTopics({ topics: [{ topic: TOPIC, numPartitions: 1 }], waitForLeaders: false });
    await eventually(() => admin.fetchTopicMetadata({ topics: [TOPIC] }));
  });
  try {
    await producer.connect();
    await producer.send({ topic: TOPIC, messages: [{ value: mark }] });
  } finally {
    await producer.disconnect();
  }
}

/** What was left last, and how many messages were. */
export async function readMark(
  engines: Addresses,
): Promise<{ postgres: unknown; redis: unknown; messages: number }> {
  return {
    postgres: await inPostgres(
      engines,
      async (client) => (await client.query('TABLE marks')).rows.at(-1)?.mark,
    ),
    redis: await inRedis(engines, (redis) => redis.get('mark')),
    messages: await messages(engines),
  };
}

async function inPostgres<Result>(
  engines: Addresses,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: engines.databaseUrl });
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

async function inRedis<Result>(engines: Addresses, work: (redis: Redis) => Promise<Result>): Promise<Result> {
  const redis = new Redis(engines.redisUrl);
  redis.on('error', () => {}); // it connects again by itself
  return work(redis).finally(() => redis.disconnect());
}

const messages = (engines: Addresses): Promise<number> =>
  withAdmin(kafkaOf(engines), async (admin) => {
    const [partition] = await admin.fetchTopicOffsets(TOPIC);
    return Number(partition?.high);
  });

function kafkaOf(engines: Addresses): Kafka {
  return new Kafka({ brokers: [engines.kafkaBrokers], logLevel: logLevel.NOTHING });
}
