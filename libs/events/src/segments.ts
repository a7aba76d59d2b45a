import type { DomainEvent } from '@frontdesk/contracts';
import type { KafkaMessage } from 'kafkajs';
import { readMessage } from './read-message.ts';

/** A stretch of a partition that is settled in one go, and the offset of its last message. */
export type Segment =
  | { kind: 'events'; events: DomainEvent[]; lastOffset: string }
  | { kind: 'unreadable'; message: KafkaMessage; reason: string; lastOffset: string };

/**
 * Cuts a batch into stretches of at most `maxEvents` events and single unreadable messages, in order. An unreadable
 * one stands alone so that it is set aside once, however often the events around it must be tried.
 */
export function* segments(messages: readonly KafkaMessage[], maxEvents: number): Generator<Segment> {
  let events: DomainEvent[] = [];
  let lastOffset: string | undefined;
  const cut = (): Segment[] => {
    const cutOff: Segment[] = lastOffset === undefined ? [] : [{ kind: 'events', events, lastOffset }];
    events = [];
    lastOffset = undefined;
    return cutOff;
  };
  for (const message of messages) {
    const reading = readMessage(message.value);
    if (reading !== 'skipped' && 'unreadable' in reading) {
      yield* cut();
      yield { kind: 'unreadable', message, reason: reading.unreadable, lastOffset: message.offset };
      continue;
    }
    if (reading !== 'skipped') events.push(reading.event);
    lastOffset = message.offset;
    if (events.length === maxEvents) yield* cut();
  }
  yield* cut();
}
