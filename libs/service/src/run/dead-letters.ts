/** A message from Kafka that a consumer can never apply, as it came. */
export interface DeadLetter {
  /** The consumer group that it was for. */
  group: string;
  topic: string;
  partition: number;
  offset: string;
  /** When it was sent, in epoch ms: distinguishes it from one at its offset in a topic that was created again. */
  timestamp: string;
  key: Buffer | null;
  value: Buffer | null;
  /** Its tenant and type, as far as they can be read. */
  tenantId: number | null;
  type: string | null;
  /** Why it can't be applied, without its content. */
  reason: string;
}

/** What consumers need of a database. */
export interface DeadLetters {
  /** Resolves once it is stored. A second time, for the same offset, changes nothing. */
  setAside(deadLetter: DeadLetter): Promise<void>;
  /**
   * Why the database will never take the values it was given, without those values. Null for every other error: one
   * that may pass, and one that isn't about the values.
   */
  refusal(error: unknown): string | null;
}
