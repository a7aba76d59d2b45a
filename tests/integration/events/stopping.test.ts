import type { DomainEvent } from '@frontdesk/contracts';
import { eventually } from '../../support/index.ts';
import { customerEvent, kafkaWorld, recordOf } from './kafka-world.ts';

describe('a consumer that is stopped', () => {
  let world: ReturnType<typeof kafkaWorld>;
  beforeEach(() => {
    world = kafkaWorld();
  });
  afterEach(() => world.stop());

  it('with a batch at work finishes and commits it: the next member gets only what came after', async () => {
    const publisher = await world.publisher();
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    const applied: DomainEvent[] = [];
    let begun = 0;
    const consumer = await world.consumer({
      topics: ['customers'],
      async apply(events) {
        begun += 1;
        await isReleased;
        applied.push(...events);
      },
    });
    await publisher.publish([recordOf(customerEvent(1, 1))]);
    await eventually(() => expect(begun).toBe(1));
    const stopped = consumer.stop();
    release();
    await stopped;
    expect(applied).toHaveLength(1);

    // Of the same customer: it comes behind the first in the same partition.
    await publisher.publish([recordOf(customerEvent(1, 2))]);
    const versions: number[] = [];
    await world.consumer({
      topics: ['customers'],
      apply: async (events) => void versions.push(...events.map((event) => event.aggregate_version)),
    });
    await eventually(() => expect(versions).toContain(2));
    expect(versions).toEqual([2]);
  });
});
