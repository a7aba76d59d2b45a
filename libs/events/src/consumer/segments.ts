import type { DomainEvent } from '@frontdesk/contracts';
import { traceparentOf } from '@frontdesk/service';
import type { KafkaMessage } from 'kafkajs';
import { readMessage } from './read-message.ts';

/** Events that are applied in one go, each with its message. */
interface EventSegment {
  kind: 'events';
  events: { event: DomainEvent; message: KafkaMessage }[];
  lastOffset: string;
}

/** A message that is set aside. */
interface DeadLetterSegment {
  kind: 'dead letter';
  message: KafkaMessage;
  reason: string;
  lastOffset: string;
}

/** A stretch of a partition that is settled in one go, and the offset of its last message. */
export type Segment = EventSegment | DeadLetterSegment;

/**
 * Cuts a batch into stretches of at most `maxEvents` events and single unreadable messages, in order. An unreadable
 * one stands alone so that it is set aside once, however often the events around it must be tried.
 */
export function* segments(messages: readonly KafkaMessage[], maxEvents: number): Generator<Segment> {
  let events: EventSegment['events'] = [];
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
      yield { kind: 'dead letter', message, reason: reading.unreadable, lastOffset: message.offset };
      continue;
    }
    if (reading !== 'skipped') events.push({ event: withTrace(reading.event, message), message });
    lastOffset = message.offset;
    if (events.length === maxEvents) yield* cut();
  }
  yield* cut();
}

/** Only a header in the right form is kept: any writer of the topic may have sent it. */
function withTrace(event: DomainEvent, { headers }: KafkaMessage): DomainEvent {
  const sent = headers?.traceparent?.toString();
  return sent && traceparentOf(sent) === sent ? { ...event, traceparent: sent } : event;
}
