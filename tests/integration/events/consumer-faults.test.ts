import { type DomainEvent, TOPICS } from '@frontdesk/contracts';
import { createMetrics } from '@frontdesk/service';
import { eventually, letterBox } from '../../support/index.ts';
import { customerEvent, kafkaWorld, recordOf, versionsById } from './kafka-world.ts';

describe('a consumer that meets faults', () => {
  let world: ReturnType<typeof kafkaWorld>;
  beforeEach(() => {
    world = kafkaWorld();
  });
  afterEach(() => world.stop());

  const partitionMessages = (ids: number[], version: number, partition: number) =>
    ids.map((id) => ({ ...recordOf(customerEvent(id, version)), partition }));

  it('tries a failing partition on until it heals, losing nothing and keeping order, while others go on', async () => {
    await world.publisher();
    const metrics = createMetrics();
    const seen: DomainEvent[] = [];
    let isBroken = true;
    await world.consumer({
      topics: ['customers'],
      metrics,
      apply: async (events) => {
        if (isBroken && events.some((event) => event.aggregate_id === 1)) throw new Error('database away');
        seen.push(...events);
      },
    });
    await eventually(() => world.send('customers', partitionMessages([1, 1], 1, 0)));
    const retries = async () =>
      (await metrics.registry.getSingleMetric('consumer_retries_total')?.get())?.values;
    await eventually(async () => expect((await retries())?.[0]?.value).toBeGreaterThanOrEqual(2));
    await world.send('customers', partitionMessages([2], 1, 1));
    await eventually(() => expect(versionsById(seen)).toEqual({ 2: [1] }));
    await world.send('customers', partitionMessages([1], 2, 0));
    isBroken = false;
    await eventually(() => expect(versionsById(seen)).toEqual({ 1: [1, 1, 2], 2: [1] }));
  });

  it('does not give the rest of a partition before what failed', async () => {
    const publisher = await world.publisher();
    const seen: DomainEvent[] = [];
    let failures = 0;
    await publisher.publish([1, 2, 3].map((version) => recordOf(customerEvent(1, version))));
    await world.consumer({
      topics: ['customers'],
      apply: async (events) => {
        failures += 1;
        if (failures <= 3) throw new Error('not yet');
        seen.push(...events);
      },
    });
    await eventually(() => expect(seen).toHaveLength(3));
    expect(versionsById(seen)).toEqual({ 1: [1, 2, 3] });
  });

  it('sets an unreadable message aside with its bytes and its place, and handles the rest', async () => {
    await world.publisher();
    const seen: DomainEvent[] = [];
    const invalid = { ...customerEvent(1, 2), data: { id: 'one' } };
    const poison = Buffer.from([0xff, 0x00, 0x7b, 0xfe]);
    const key = '1:1';
    await eventually(() =>
      world.send('customers', [
        { ...recordOf(customerEvent(1, 1)), partition: 2 },
        { key, value: poison, partition: 2 },
        { key, value: JSON.stringify(invalid), partition: 2 },
        { ...recordOf(customerEvent(1, 3)), partition: 2 },
      ]),
    );
    const box = letterBox();
    await world.consumer({
      topics: ['customers'],
      deadLetters: box,
      apply: async (events) => {
        seen.push(...events);
      },
    });
    await eventually(() => expect(versionsById(seen)).toEqual({ 1: [1, 3] }));

    const [poisoned, misshapen] = box.letters;
    const place = { group: 'readers', topic: world.kafka.nameOf('customers'), partition: 2 };
    expect(poisoned).toMatchObject({ ...place, offset: '1', key: Buffer.from(key), value: poison });
    expect(poisoned).toMatchObject({ tenantId: 1, type: null, reason: expect.stringContaining('envelope') });
    expect(misshapen).toMatchObject({ ...place, offset: '2', tenantId: 1, type: 'customer.updated' });
    expect(misshapen?.reason).toContain('data of customer.updated.id');
    expect(misshapen?.value?.toString()).toBe(JSON.stringify(invalid));
    expect(box.letters).toHaveLength(2);
  });

  it('does not go on before a message that it can’t read is kept', async () => {
    await world.publisher();
    const seen: DomainEvent[] = [];
    const box = letterBox();
    let failures = 0;
    const setAside: typeof box.setAside = async (letter) => {
      failures += 1;
      if (failures <= 2) throw new Error('database away');
      await box.setAside(letter);
    };
    await eventually(() =>
      world.send('customers', [
        { key: '1:1', value: 'no JSON', partition: 0 },
        { ...recordOf(customerEvent(1, 2)), partition: 0 },
      ]),
    );
    await world.consumer({
      topics: ['customers'],
      deadLetters: { ...box, setAside },
      apply: async (events) => {
        expect(box.letters).toHaveLength(1);
        seen.push(...events);
      },
    });
    await eventually(() => expect(versionsById(seen)).toEqual({ 1: [2] }));
    expect(failures).toBe(3);
  });

  it('finds the one event that will never be taken among many, sets it aside and applies the others in order', async () => {
    await world.publisher();
    const versions = [1, 2, 3, 4, 5, 6, 7];
    await eventually(() =>
      world.send(
        'customers',
        versions.map((version) => ({ ...recordOf(customerEvent(1, version)), partition: 1 })),
      ),
    );
    const refused = new Error('refused for good');
    const box = letterBox((error) => (error === refused ? 'it never fits' : null));
    const seen: DomainEvent[] = [];
    let isAway = true;
    const consumer = await world.consumer({
      topics: ['customers'],
      deadLetters: box,
      apply: async (events) => {
        if (events.some((event) => event.aggregate_version === 3)) throw refused;
        // What may pass spends no message, also between the parts of what was refused.
        if (isAway && events.some((event) => event.aggregate_version === 5)) {
          isAway = false;
          throw new Error('database away');
        }
        seen.push(...events);
      },
    });
    await eventually(() => expect(versionsById(seen)).toEqual({ 1: [1, 2, 4, 5, 6, 7] }));
    expect(box.letters).toEqual([
      expect.objectContaining({
        ...{ group: 'readers', partition: 1, offset: '2', tenantId: 1, type: 'customer.updated' },
        reason: 'it never fits',
      }),
    ]);
    expect(await consumer.retake(box.letters[0]?.value ?? null)).toBe('it never fits');
  });

  it('takes a letter in once it can read it, and says why while it can’t', async () => {
    const seen: DomainEvent[] = [];
    const consumer = await world.consumer({
      topics: ['customers'],
      apply: async (events) => {
        seen.push(...events);
      },
    });
    await eventually(() => expect(consumer.ready()).toBeNull());
    expect(await consumer.retake(Buffer.from('{"tenant_id": 7'))).toContain('envelope');
    expect(await consumer.retake(Buffer.from(JSON.stringify(customerEvent(1, 3))))).toBeNull();
    expect(await consumer.retake(null)).toBeNull();
    const ofType = (type: string) => Buffer.from(JSON.stringify({ ...customerEvent(1, 4), type }));
    expect(await consumer.retake(ofType('customer.merged'))).toBe(
      'type customer.merged is unknown to this release',
    );
    expect(await consumer.retake(ofType('Zora <zora@example.com>'))).not.toContain('Zora');
    expect(versionsById(seen)).toEqual({ 1: [3] });
  });

  it('skips a type that it does not know', async () => {
    const publisher = await world.publisher();
    const seen: DomainEvent[] = [];
    await publisher.publish([
      recordOf({ ...customerEvent(1, 1), type: 'customer.merged' }),
      recordOf(customerEvent(1, 2)),
    ]);
    await world.consumer({
      topics: ['customers'],
      apply: async (events) => {
        seen.push(...events);
      },
    });
    await eventually(() => expect(versionsById(seen)).toEqual({ 1: [2] }));
  });

  it('starts before its topics exist, creates them as stated and reads them', async () => {
    const seen: DomainEvent[] = [];
    const consumer = await world.consumer({
      topics: ['customers', 'tenants'],
      apply: async (events) => {
        seen.push(...events);
      },
    });
    expect(consumer.ready()).toBe('kafka');
    await eventually(() => expect(consumer.ready()).toBeNull());
    await world.send('customers', [recordOf(customerEvent(1, 1))]);
    await eventually(() => expect(seen).toHaveLength(1));

    const admin = world.kafka.admin();
    await admin.connect();
    const { topics } = await admin.fetchTopicMetadata({ topics: [world.kafka.nameOf('tenants')] });
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [
        {
          type: 2,
          name: world.kafka.nameOf('tenants'),
          configNames: ['cleanup.policy', 'max.message.bytes'],
        },
      ],
    });
    await admin.disconnect();
    expect(topics[0]?.partitions).toHaveLength(TOPICS.tenants.partitions);
    expect(resources[0]?.configEntries).toMatchObject([
      { configName: 'cleanup.policy', configValue: 'compact' },
      { configName: 'max.message.bytes', configValue: String(8 * 1024 * 1024) },
    ]);
  });

  it('joins again by itself after its topic was deleted and made anew', async () => {
    const publisher = await world.publisher();
    const seen: DomainEvent[] = [];
    await world.consumer({
      topics: ['customers'],
      apply: async (events) => {
        seen.push(...events);
      },
    });
    await publisher.publish([recordOf(customerEvent(1, 1))]);
    await eventually(() => expect(seen).toHaveLength(1));
    const admin = world.kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [world.kafka.nameOf('customers')] });
    await admin.disconnect();
    await eventually(() => publisher.publish([recordOf(customerEvent(1, 2))]), { timeoutMs: 30_000 });
    await eventually(() => expect(versionsById(seen)[1]).toContain(2), { timeoutMs: 30_000 });
  });

  it('takes a longer session where the broker does not allow a short one', async () => {
    const publisher = await world.publisher();
    const seen: DomainEvent[] = [];
    await world.consumer({
      topics: ['customers'],
      sessionTimeoutMs: 30,
      apply: async (events) => {
        seen.push(...events);
      },
    });
    await publisher.publish([recordOf(customerEvent(1, 1))]);
    await eventually(() => expect(seen).toHaveLength(1));
  });
});
