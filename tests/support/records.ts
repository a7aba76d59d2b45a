import { type DomainEvent, EVENT_TYPES, type EventEnvelope, type Topic } from '@frontdesk/contracts';
import type { OutboundRecord } from '@frontdesk/service';

/** The event on the topic of its type, as an outbox relay publishes it. */
export const recordOf = (event: DomainEvent): OutboundRecord =>
  recordOn(EVENT_TYPES[event.type].topic, event);

/** Whatever the type, known or not. */
export const recordOn = (topic: Topic, event: DomainEvent | EventEnvelope): OutboundRecord => ({
  topic,
  key: `${event.tenant_id}:${event.aggregate_id}`,
  value: JSON.stringify(event),
});
