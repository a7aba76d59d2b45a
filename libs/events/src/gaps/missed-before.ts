/** What kafkajs commits when it skips to the oldest event that is left. */
const SKIPPED = -2n;

/** Offsets of one partition. */
interface Offsets {
  /** What the group has committed: -1 nothing, -2 see `SKIPPED`. */
  committed: bigint;
  /** What the consumer's own database says of the next event to apply; null: nothing. */
  saved: bigint | null;
  /** The oldest event in Kafka, and the next one to come. */
  low: bigint;
  high: bigint;
}

/** The next event to apply, by whichever of the two knows of more; null where neither knows. */
export function reachedOffset({ committed, saved }: Pick<Offsets, 'committed' | 'saved'>): bigint | null {
  const reached = saved !== null && saved > committed ? saved : committed;
  return reached < 0n ? null : reached;
}

/**
 * Whether a group has missed events when it begins to read a partition: `events`, if the next one to apply was
 * deleted; `perhaps`, if the group has never read this partition and its first events were deleted. If the partition
 * ends before the offset that was reached, the topic was created anew, and the rest of the old one is lost.
 */
export function missedBefore(offsets: Offsets): 'nothing' | 'events' | 'perhaps' {
  const { committed, low, high } = offsets;
  const reached = reachedOffset(offsets);
  if (reached !== null) return reached < low || reached > high ? 'events' : 'nothing';
  if (committed === SKIPPED) return 'events';
  return low > 0n ? 'perhaps' : 'nothing';
}
