import type { DomainEvent } from '@frontdesk/contracts';
import { collectDeadLetters, eventually } from '../../support/index.ts';
import { customerEvent, kafkaWorld, recordOf, versionsById } from './kafka-world.ts';

describe('a consumer that can’t apply a message', () => {
  let world: ReturnType<typeof kafkaWorld>;
  beforeEach(() => {
    world = kafkaWorld();
  });
  afterEach(() => world.stop());

  it('sets an unreadable message aside with its bytes and its offset, and handles the rest', async () => {
    await world.publisher();
    const seen: DomainEvent[] = [];
    const invalid = { ...customerEvent(1, 2), data: { id: 'one' } };
    const poison = Buffer.from([0xff, 0x00, 0x7b, 0xfe]);
    const key = '1:1';
    await world.send('customers', [
      { ...recordOf(customerEvent(1, 1)), partition: 2 },
      { key, value: poison, partition: 2 },
      { key, value: JSON.stringify(invalid), partition: 2 },
      { ...recordOf(customerEvent(1, 3)), partition: 2 },
    ]);
    const box = collectDeadLetters();
    await world.consumer({
      topics: ['customers'],
      deadLetters: box,
      apply: async (events) => {
        seen.push(...events);
      },
    });
    await eventually(() => expect(versionsById(seen)).toEqual({ 1: [1, 3] }));

    const [poisoned, misshapen] = box.collected;
    const place = { group: 'readers', topic: world.kafka.nameOf('customers'), partition: 2 };
    expect(poisoned).toMatchObject({ ...place, offset: '1', key: Buffer.from(key), value: poison });
    expect(poisoned).toMatchObject({ tenantId: 1, type: null, reason: expect.stringContaining('envelope') });
    expect(misshapen).toMatchObject({ ...place, offset: '2', tenantId: 1, type: 'customer.updated' });
    expect(misshapen?.reason).toContain('data of customer.updated.id');
    expect(misshapen?.value?.toString()).toBe(JSON.stringify(invalid));
    expect(box.collected).toHaveLength(2);
  });

  it('does not go on before an unreadable message is stored', async () => {
    await world.publisher();
    const seen: DomainEvent[] = [];
    const box = collectDeadLetters();
    let failures = 0;
    const setAside: typeof box.setAside = async (deadLetter) => {
      failures += 1;
      if (failures <= 2) throw new Error('database away');
      await box.setAside(deadLetter);
    };
    await world.send('customers', [
      { key: '1:1', value: 'no JSON', partition: 0 },
      { ...recordOf(customerEvent(1, 2)), partition: 0 },
    ]);
    await world.consumer({
      topics: ['customers'],
      deadLetters: { ...box, setAside },
      apply: async (events) => {
        expect(box.collected).toHaveLength(1);
        seen.push(...events);
      },
    });
    await eventually(() => expect(versionsById(seen)).toEqual({ 1: [2] }));
    expect(failures).toBe(3);
  });

  it('finds the one event that can never be applied among many, sets it aside and applies the others in order', async () => {
    await world.publisher();
    const versions = [1, 2, 3, 4, 5, 6, 7];
    await world.send(
      'customers',
      versions.map((version) => ({ ...recordOf(customerEvent(1, version)), partition: 1 })),
    );
    const refused = new Error('refused for good');
    const box = collectDeadLetters((error) => (error === refused ? 'it never fits' : null));
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
    expect(box.collected).toEqual([
      expect.objectContaining({
        group: 'readers',
        partition: 1,
        offset: '2',
        tenantId: 1,
        type: 'customer.updated',
        reason: 'it never fits',
      }),
    ]);
    expect(await consumer.applyDeadLetter(box.collected[0]?.value ?? null)).toBe('it never fits');
  });

  it('applies a dead letter once it can read it, and says why while it can’t', async () => {
    const seen: DomainEvent[] = [];
    const consumer = await world.consumer({
      topics: ['customers'],
      apply: async (events) => {
        seen.push(...events);
      },
    });
    await eventually(() => expect(consumer.ready()).toBeNull());
    expect(await consumer.applyDeadLetter(Buffer.from('{"tenant_id": 7'))).toContain('envelope');
    expect(await consumer.applyDeadLetter(Buffer.from(JSON.stringify(customerEvent(1, 3))))).toBeNull();
    expect(await consumer.applyDeadLetter(null)).toBeNull();
    const ofType = (type: string) => Buffer.from(JSON.stringify({ ...customerEvent(1, 4), type }));
    expect(await consumer.applyDeadLetter(ofType('customer.renamed'))).toBe(
      'type customer.renamed is unknown to this release',
    );
    expect(await consumer.applyDeadLetter(ofType('Zora <zora@example.com>'))).not.toContain('Zora');
    expect(versionsById(seen)).toEqual({ 1: [3] });
  });
});
