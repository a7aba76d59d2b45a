import { TOPICS } from '@frontdesk/contracts';
import { ensureTopics } from '@frontdesk/events';
import { ConfigResourceTypes } from 'kafkajs';
import { eventually } from '../../support/index.ts';
import { kafkaWorld } from './kafka-world.ts';

describe('topics', () => {
  const world = kafkaWorld();
  afterAll(() => world.stop());

  /** Partitions and settings as the cluster has them. */
  const found = (topic: 'tenants' | 'customers' | 'calls', ...configNames: string[]) =>
    world.withAdmin(async (admin) => {
      const name = world.kafka.nameOf(topic);
      const { topics } = await admin.fetchTopicMetadata({ topics: [name] });
      const { resources } = await admin.describeConfigs({
        includeSynonyms: false,
        resources: [{ type: ConfigResourceTypes.TOPIC, name, configNames }],
      });
      const entries = resources[0]?.configEntries ?? [];
      return {
        partitions: topics[0]?.partitions.length,
        settings: Object.fromEntries(entries.map(({ configName, configValue }) => [configName, configValue])),
      };
    });

  it('are made as stated, and those of an earlier release are brought to it beside an operator’s settings', async () => {
    await world.withAdmin((admin) =>
      admin.createTopics({
        waitForLeaders: false,
        topics: [
          {
            topic: world.kafka.nameOf('customers'),
            numPartitions: 1,
            configEntries: [
              { name: 'retention.ms', value: '3600000' },
              { name: 'segment.ms', value: '7200000' },
            ],
          },
          {
            topic: world.kafka.nameOf('calls'),
            configEntries: [{ name: 'retention.ms', value: '-1' }],
          },
        ],
      }),
    );
    await eventually(() => ensureTopics({ kafka: world.kafka }));
    await eventually(async () => {
      expect(await found('tenants', 'cleanup.policy', 'max.message.bytes')).toEqual({
        partitions: TOPICS.tenants.partitions,
        settings: { 'cleanup.policy': 'compact', 'max.message.bytes': String(8 * 1024 * 1024) },
      });
      expect(await found('customers', 'retention.ms', 'segment.ms')).toEqual({
        partitions: TOPICS.customers.partitions,
        settings: { 'retention.ms': String(TOPICS.customers.retentionMs), 'segment.ms': '7200000' },
      });
      expect(await found('calls', 'retention.ms', 'cleanup.policy')).toEqual({
        partitions: TOPICS.calls.partitions,
        settings: { 'retention.ms': '-1', 'cleanup.policy': 'delete' },
      });
    });
  });
});
