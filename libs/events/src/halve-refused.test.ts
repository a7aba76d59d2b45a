import type { DomainEvent } from '@frontdesk/contracts';
import type { KafkaMessage } from 'kafkajs';
import { halveRefused } from './halve-refused.ts';
import type { Segment } from './segments.ts';

/** Versions of its events, or the reason why it is set aside, behind its last offset. */
const shown = (segment: Segment) =>
  segment.kind === 'events'
    ? [segment.lastOffset, segment.events.map(({ event }) => event.aggregate_version)]
    : [segment.lastOffset, segment.reason];

/** Events with the versions from 1, each in the message at its offset. */
const eventsAt = (offsets: number[], lastOffset: number): Segment => ({
  kind: 'events',
  events: offsets.map((offset, index) => ({
    event: { aggregate_version: index + 1 } as DomainEvent,
    message: { offset: String(offset) } as KafkaMessage,
  })),
  lastOffset: String(lastOffset),
});

describe('events that are refused together', () => {
  /** Halved until nothing that holds this version is left but its dead letter. */
  const halvedUntilAlone = (segment: Segment, refused: number): unknown[] =>
    segment.kind === 'events' && segment.events.some(({ event }) => event.aggregate_version === refused)
      ? halveRefused(segment, 'refused').flatMap((part) => halvedUntilAlone(part, refused))
      : [shown(segment)];

  it.each([
    [
      1,
      [
        ['0', 'refused'],
        ['1', [2]],
        ['4', [3, 4, 5]],
      ],
    ],
    [
      3,
      [
        ['1', [1, 2]],
        ['2', 'refused'],
        ['4', [4, 5]],
      ],
    ],
    [
      5,
      [
        ['1', [1, 2]],
        ['2', [3]],
        ['3', [4]],
        ['4', 'refused'],
      ],
    ],
  ])('are halved so that number %i alone is set aside, and the order stays', (refused, parts) => {
    expect(halvedUntilAlone(eventsAt([0, 1, 2, 3, 4], 4), refused)).toEqual(parts);
  });

  it('leave no message behind that was skipped', () => {
    expect(halvedUntilAlone(eventsAt([1, 3], 4), 2)).toEqual([
      ['1', [1]],
      ['4', 'refused'],
    ]);
  });
});
