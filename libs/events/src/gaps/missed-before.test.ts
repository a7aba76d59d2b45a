import { missedBefore } from './missed-before.ts';

const NONE = -1n;
const SKIPPED = -2n;

describe('what a group has missed', () => {
  it.each<[string, ReturnType<typeof missedBefore>, [bigint, bigint | null, bigint, bigint]]>([
    ['goes on where it was', 'nothing', [5n, 5n, 0n, 9n]],
    ['has applied all, and all is deleted', 'nothing', [9n, 9n, 9n, 9n]],
    ['is new to an untouched topic', 'nothing', [NONE, null, 0n, 9n]],
    ['is new to a topic whose first events are gone', 'perhaps', [NONE, null, 3n, 9n]],
    ['finds later events deleted', 'events', [5n, 5n, 6n, 9n]],
    ['finds everything deleted', 'events', [5n, 5n, 9n, 9n]],
    ['is forgotten by Kafka, which has all it lacks', 'nothing', [NONE, 5n, 5n, 9n]],
    ['is forgotten by Kafka, which has deleted more', 'events', [NONE, 5n, 6n, 9n]],
    ['has committed more than it saved', 'nothing', [6n, 5n, 6n, 9n]],
    ['has saved more than it committed', 'nothing', [5n, 6n, 6n, 9n]],
    ['was skipped ahead by kafkajs', 'events', [SKIPPED, 5n, 6n, 9n]],
    ['was skipped ahead by kafkajs from an unknown place', 'events', [SKIPPED, null, 0n, 9n]],
    ['was skipped ahead, which is recorded', 'nothing', [SKIPPED, 6n, 6n, 9n]],
    ['finds its topic made anew', 'events', [NONE, 5n, 0n, 2n]],
  ])('that %s: %s', (_, missed, [committed, saved, low, high]) => {
    expect(missedBefore({ committed, saved, low, high })).toBe(missed);
  });
});
