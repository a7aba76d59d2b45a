import type { Topic } from '@frontdesk/contracts';

/** One record for Kafka: `key` decides the partition, `value` is the event envelope as JSON. */
export interface OutboundRecord {
  topic: Topic;
  key: string;
  value: string;
  /** Goes along as a header. */
  traceparent?: string | undefined;
}

/** What the outbox relay needs of Kafka. */
export interface EventPublisher {
  /**
   * Resolves once the broker has acknowledged every record.
   * @throws RefusedRecordError for a record that the broker will never take; any other error is passing.
   */
  publish(records: OutboundRecord[]): Promise<void>;
}

/** The broker refuses this one record for good, for example because it is too large. */
export class RefusedRecordError extends Error {
  /** Position in the batch. */
  readonly index: number;

  constructor(index: number, cause: unknown) {
    super('The broker refused a record for good.', { cause });
    this.name = 'RefusedRecordError';
    this.index = index;
  }
}
