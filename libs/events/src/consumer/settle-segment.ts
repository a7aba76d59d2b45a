import type { DomainEvent } from '@frontdesk/contracts';
import { bisect } from '@frontdesk/fair';
import type { KafkaMessage } from 'kafkajs';
import type { Segment } from './segments.ts';

export interface SettleSteps {
  /** @returns why these can never be applied together; null once they are */
  apply: (events: DomainEvent[]) => Promise<string | null>;
  setAside: (message: KafkaMessage, reason: string) => Promise<void>;
  /** Everything up to this offset is settled; the events that were applied since the last call. */
  settled: (lastOffset: string, events: DomainEvent[]) => void;
  /** Asked before each try. */
  mayGoOn: () => boolean;
}

/**
 * Applies a segment's events together. Where they are refused for good, the faulty event is found and set aside alone, and all others
 * are applied, in order.
 */
export async function settleSegment(segment: Segment, steps: SettleSteps): Promise<void> {
  const { lastOffset } = segment;
  if (segment.kind === 'dead letter') {
    await steps.setAside(segment.message, segment.reason);
    return steps.settled(lastOffset, []);
  }
  if (segment.events.length === 0) return steps.settled(lastOffset, []);
  const last = segment.events.at(-1);
  /** What was skipped behind the last event is settled with it. */
  const settle = (end: (typeof segment.events)[number] | undefined, events: DomainEvent[]) =>
    steps.settled(end && end !== last ? end.message.offset : lastOffset, events);
  await bisect(segment.events, {
    async take(part) {
      const events = part.map(({ event }) => event);
      const refusal = await steps.apply(events);
      if (refusal === null) settle(part.at(-1), events);
      return refusal;
    },
    async setAside(refused, reason) {
      await steps.setAside(refused.message, reason);
      settle(refused, []);
    },
    mayGoOn: steps.mayGoOn,
  });
}
