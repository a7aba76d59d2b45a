/** A message from Kafka that can't be read, as it came. */
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
  /** Why it can't be read: nothing of what it holds. */
  reason: string;
}

/** What consumers need of a database. */
export interface DeadLetters {
  /** Resolves once the letter is kept. A second time, for the same place, changes nothing. */
  setAside(letter: DeadLetter): Promise<void>;
}
