import type { ConsumerPosition, ConsumerProgress, EventGap } from '@frontdesk/service';

/** What consumers remember, in memory: of one group. */
export function progressBox(): ConsumerProgress & { gaps: EventGap[] } {
  const positions = new Map<string, ConsumerPosition>();
  const gaps = new Map<string, EventGap>();
  const keep = (position: ConsumerPosition) =>
    positions.set(`${position.topic}/${position.partition}`, position);
  return {
    get gaps() {
      return [...gaps.values()];
    },
    load: async () => [...positions.values()],
    save: async (_group, applied) => applied.forEach(keep),
    async recordGap(_group, gap) {
      const { topic, partition, fromOffset, toOffset, since, until } = gap;
      keep({ topic, partition, offset: toOffset, occurredAt: until });
      const key = JSON.stringify([topic, partition, fromOffset, toOffset, since]);
      const isNew = !gaps.has(key);
      gaps.set(key, gap);
      return isNew;
    },
  };
}
