import { type DomainEvent, EVENT_TYPES, type EventType, type Topic } from '@frontdesk/contracts';

type TypeOn<OnTopic extends Topic> = {
  [Type in EventType]: (typeof EVENT_TYPES)[Type]['topic'] extends OnTopic ? Type : never;
}[EventType];

/** The events that travel on one topic, typed as such: `eventsOf('tenants', events)`. */
export function eventsOf<OnTopic extends Topic>(
  topic: OnTopic,
  events: readonly DomainEvent[],
): DomainEvent<TypeOn<OnTopic>>[] {
  return events.filter((event) => EVENT_TYPES[event.type].topic === topic) as DomainEvent<TypeOn<OnTopic>>[];
}

/**
 * The event with the highest version of each aggregate, for upserts: one statement can't touch a row twice.
 * Aggregates of different topics are different, whatever their ids.
 */
export function latestPerAggregate<Event extends DomainEvent>(events: readonly Event[]): Event[] {
  const latest = new Map<string, Event>();
  for (const event of events) {
    const aggregate = `${EVENT_TYPES[event.type].topic}:${event.tenant_id}:${event.aggregate_id}`;
    const known = latest.get(aggregate);
    if (!known || event.aggregate_version > known.aggregate_version) latest.set(aggregate, event);
  }
  return [...latest.values()];
}
