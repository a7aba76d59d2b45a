import type { DomainEvent } from '@frontdesk/contracts';
import { eventually } from '../../support/index.ts';
import { customerEvent, kafkaWorld, recordOf, versionsById } from './kafka-world.ts';

describe('members of a consumer group', () => {
  let world: ReturnType<typeof kafkaWorld>;
  beforeEach(() => {
    world = kafkaWorld();
  });
  afterEach(() => world.stop());

  const ids = Array.from({ length: 30 }, (_, index) => index + 1);

  const member = async () => {
    const seen: DomainEvent[] = [];
    const consumer = await world.consumer({
      topics: ['customers'],
      apply: async (events) => {
        seen.push(...events);
      },
    });
    return { seen, consumer };
  };

  it('share the partitions, and those of a stopped member move without loss', async () => {
    const publisher = await world.publisher();
    const first = await member();
    await eventually(() => expect(first.consumer.ready()).toBeNull());
    const second = await member();
    let version = 0;
    const publishRound = () => {
      version += 1;
      return publisher.publish(ids.map((id) => recordOf(customerEvent(id, version))));
    };
    await eventually(async () => {
      await publishRound();
      expect(first.seen.length).toBeGreaterThan(0);
      expect(second.seen.length).toBeGreaterThan(0);
    });
    await first.consumer.stop();
    const seenByFirst = first.seen.length;
    await publishRound();
    await eventually(() => {
      const all = versionsById([...first.seen, ...second.seen]);
      for (const id of ids) expect(new Set(all[id]).size).toBe(version);
    });
    expect(first.seen).toHaveLength(seenByFirst);
  });

  it('stay in the group while a batch takes longer than their session, and see it once', async () => {
    const publisher = await world.publisher();
    const seen: DomainEvent[] = [];
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    let calls = 0;
    await world.consumer({
      topics: ['customers'],
      sessionTimeoutMs: 1_500,
      apply: async (events) => {
        calls += 1;
        await isReleased;
        seen.push(...events);
      },
    });
    await publisher.publish([recordOf(customerEvent(1, 1))]);
    await eventually(() => expect(calls).toBe(1));
    const admin = world.kafka.admin();
    await admin.connect();
    const begun = Date.now();
    await eventually(async () => {
      const { groups } = await admin.describeGroups([world.kafka.nameOf('readers')]);
      expect(groups[0]).toMatchObject({ state: 'Stable', members: [expect.anything()] });
      // Twice the session: without heartbeats the member would be gone.
      expect(Date.now() - begun).toBeGreaterThan(3_000);
    });
    await admin.disconnect();
    release();
    await eventually(() => expect(seen).toHaveLength(1));
    await publisher.publish([recordOf(customerEvent(1, 2))]);
    await eventually(() => expect(versionsById(seen)).toEqual({ 1: [1, 2] }));
  });

  it('try on what fails while members come and go, and lose nothing', async () => {
    const publisher = await world.publisher();
    const seen: DomainEvent[] = [];
    let isBroken = true;
    let tries = 0;
    const apply = async (events: DomainEvent[]) => {
      tries += 1;
      if (isBroken) throw new Error('database away');
      seen.push(...events);
    };
    await world.consumer({ topics: ['customers'], apply });
    await publisher.publish(ids.map((id) => recordOf(customerEvent(id, 1))));
    await eventually(() => expect(tries).toBeGreaterThanOrEqual(20));
    const guest = await world.consumer({ topics: ['customers'], apply });
    await eventually(() => expect(guest.ready()).toBeNull());
    await guest.stop();
    isBroken = false;
    await eventually(() => expect(new Set(seen.map((event) => event.aggregate_id))).toEqual(new Set(ids)));
  });

  it('leave at once when stopped while applying fails, and the next member gets what was not applied', async () => {
    const publisher = await world.publisher();
    let tries = 0;
    const failing = await world.consumer({
      topics: ['customers'],
      apply: async () => {
        tries += 1;
        throw new Error('database away');
      },
    });
    await publisher.publish([recordOf(customerEvent(1, 1))]);
    await eventually(() => expect(tries).toBeGreaterThanOrEqual(2));
    await failing.stop();
    const admin = world.kafka.admin();
    await admin.connect();
    const { groups } = await admin.describeGroups([world.kafka.nameOf('readers')]);
    await admin.disconnect();
    expect(groups[0]?.members).toEqual([]);
    const next = await member();
    await eventually(() => expect(versionsById(next.seen)).toEqual({ 1: [1] }));
  });
});
