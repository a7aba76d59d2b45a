import { EventEmitter } from 'node:events';
import { createLogger } from '@frontdesk/service';
import type { KafkaClient } from '../kafka/kafka-client.ts';
import { joinGroup } from './membership.ts';

const JOIN = 'consumer.group_join';
const assignment = { customers: [0] };

/** A group whose only member is assigned its partitions at once, and each time that `assign` is called. */
function fakeGroup() {
  const events = new EventEmitter();
  const assign = () => events.emit(JOIN, { payload: { memberAssignment: assignment } });
  const consumer = {
    events: { CRASH: 'consumer.crash', GROUP_JOIN: JOIN },
    on: events.on.bind(events),
    connect: async () => {},
    subscribe: async () => {},
    run: async () => void assign(),
    // As where the group is rebalanced just then.
    disconnect: async () => void assign(),
  };
  return { nameOf: (name: string) => name, consumer: () => consumer } as unknown as KafkaClient;
}

describe('a member that leaves its group', () => {
  it('waits for the look for gaps that is under way, and begins no other', async () => {
    const looked = Promise.withResolvers<never[]>();
    let looks = 0;
    let hasLeft = false;
    const membership = await joinGroup({
      kafka: fakeGroup(),
      group: 'readers',
      topics: ['customers'],
      sessionTimeoutMs: 3_000,
      checkGaps() {
        looks += 1;
        return looked.promise;
      },
      savePositions: async () => {},
      eachBatch: async () => {},
      onAssigned() {},
      logger: createLogger({ name: 'test', level: 'silent' }),
    });
    const left = membership.leave().then(() => {
      hasLeft = true;
    });
    await new Promise(setImmediate);
    expect(hasLeft).toBe(false);
    looked.resolve([]);
    await left;
    expect(looks).toBe(1);
  });
});
