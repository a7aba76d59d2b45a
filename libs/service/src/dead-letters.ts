/** A message from Kafka that a consumer can't take in, as it came. */
export interface DeadLetter {
  /** The consumer group that it was for. */
  group: string;
  topic: string;
  partition: number;
  offset: string;
  /** When it was sent, in milliseconds since the epoch: tells it from another at its place in a topic made anew. */
  timestamp: string;
  key: Buffer | null;
  value: Buffer | null;
  /** Of what tenant and type it is, as far as that can be made out. */
  tenantId: number | null;
  type: string | null;
  /** Why it can't be taken in: nothing of what it holds. */
  reason: string;
}

/** What consumers need of a database. */
export interface DeadLetters {
  /** Resolves once the letter is kept. A second time, for the same place, changes nothing. */
  setAside(letter: DeadLetter): Promise<void>;
  /**
   * Why the database will never take what it was given, telling nothing of what that holds. Null for every other error: one
   * that may pass, and one that isn't about what was given.
   */
  refusal(error: unknown): string | null;
}
