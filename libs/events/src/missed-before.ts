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
 * What a group that begins to read has missed: `events`, or `perhaps` some, where it reads the partition for the first time and
 * the first ones are gone. An end before what was reached is a topic made anew: what the old one still held is gone.
 */
export function missedBefore(offsets: Offsets): 'nothing' | 'events' | 'perhaps' {
  const { committed, low, high } = offsets;
  const reached = reachedOffset(offsets);
  if (reached !== null) return reached < low || reached > high ? 'events' : 'nothing';
  if (committed === SKIPPED) return 'events';
  return low > 0n ? 'perhaps' : 'nothing';
}
