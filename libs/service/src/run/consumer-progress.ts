/** How far a consumer group has applied one partition. */
export interface ConsumerPosition {
  topic: string;
  partition: number;
  /** Of the next event to apply. */
  offset: string;
  /** When the last applied event occurred, as far as that is known. */
  occurredAt: Date | null;
}

/** Events that Kafka deleted before a group had applied them. */
export interface EventGap {
  topic: string;
  partition: number;
  /** The first that is missing; null where that is unknown. */
  fromOffset: string | null;
  /** Where the group goes on: the first that is still there, or will come. */
  toOffset: string;
  /** When the missing events occurred: not before `since`, which may be unknown, and not after `until`. */
  since: Date | null;
  until: Date;
  /** Whether the consumer makes good for them, by filling its projection again. */
  isRefilled: boolean;
}

/**
 * What consumers remember in their service's database of how far they are. Kafka forgets it, together with the events, of a group
 * that is away for long.
 */
export interface ConsumerProgress {
  load(group: string): Promise<ConsumerPosition[]>;
  save(group: string, positions: readonly ConsumerPosition[]): Promise<void>;
  /** Keeps the gap, and that the group goes on behind it. @returns whether it is new */
  recordGap(group: string, gap: EventGap): Promise<boolean>;
}
