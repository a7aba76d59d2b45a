import type { DomainEvent } from '@frontdesk/contracts';
import type { KafkaMessage } from 'kafkajs';
import type { Segment } from './segments.ts';
import { settleSegment } from './settle-segment.ts';

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
  /** What is settled where this version is refused: the last offset of each part, with its versions, or why it was set aside. */
  const settled = async (segment: Segment, refused: number): Promise<unknown[]> => {
    const parts: unknown[] = [];
    let setAside: string | undefined;
    await settleSegment(segment, {
      apply: async (events) => (events.some((one) => one.aggregate_version === refused) ? 'refused' : null),
      async setAside(_message, reason) {
        setAside = reason;
      },
      settled(lastOffset, events) {
        parts.push([lastOffset, setAside ?? events.map((one) => one.aggregate_version)]);
        setAside = undefined;
      },
      mayGoOn: () => true,
    });
    return parts;
  };

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
  ])('are halved so that number %i alone is set aside, and the order stays', async (refused, parts) => {
    expect(await settled(eventsAt([0, 1, 2, 3, 4], 4), refused)).toEqual(parts);
  });

  it('leave no message behind that was skipped', async () => {
    expect(await settled(eventsAt([1, 3], 4), 2)).toEqual([
      ['1', [1]],
      ['4', 'refused'],
    ]);
  });
});
