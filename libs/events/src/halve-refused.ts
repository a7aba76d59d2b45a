import type { EventSegment, Segment } from './segments.ts';

/**
 * Splits events that were refused together into two halves, and makes a dead letter of a single one. In the end the faulty
 * event is set aside alone, and all others are applied, in order.
 */
export function halveRefused({ events, lastOffset }: EventSegment, reason: string): Segment[] {
  const middle = Math.floor(events.length / 2);
  const before = events[middle - 1];
  if (before) {
    return [
      { kind: 'events', events: events.slice(0, middle), lastOffset: before.message.offset },
      { kind: 'events', events: events.slice(middle), lastOffset },
    ];
  }
  return events.map(({ message }) => ({ kind: 'dead letter', message, reason, lastOffset }));
}
