import type { EventSegment, Segment } from './segments.ts';

/**
 * What is settled in the place of events that were refused together: each half of them, or a dead letter for a single one. So
 * the one that is at fault comes to stand alone, and all others are applied, in order.
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
