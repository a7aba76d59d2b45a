import type { DomainEvent } from '@frontdesk/contracts';
import { NEVER_FILLED, projectionState } from '@frontdesk/database';
import {
  createConsumer,
  createRefill,
  type EventConsumer,
  eventsOf,
  latestPerAggregate,
  type SnapshotOf,
  type SnapshotTopic,
  snapshotPages,
} from '@frontdesk/events';
import type { Component, ServiceClient } from '@frontdesk/service';
import type { Wiring } from './wiring.ts';

export interface Projection {
  consumer: EventConsumer;
  refill: Component;
}

/**
 * Keeps what this service holds of another one's records level with them: by the owner's events, and by its snapshot at first and
 * after every gap in the events.
 */
export function createProjection<OnTopic extends SnapshotTopic>(
  { name: service, database, ...deps }: Wiring,
  options: {
    name: string;
    /** Of the owner's events, and of its snapshot. */
    topic: OnTopic;
    owner: ServiceClient;
    /** Keeps the higher version of each. */
    store: (entries: SnapshotOf<OnTopic>[]) => Promise<void>;
    /** Whether there is nothing, for projections that may be lost without their mark. */
    isEmpty?: () => Promise<boolean>;
  },
): Projection {
  const { name, topic, owner, store, isEmpty = async () => false } = options;
  const state = projectionState(database, name);
  const refill = createRefill({
    name,
    state: {
      ...state,
      reasonToFill: async () => (await state.reasonToFill()) ?? ((await isEmpty()) ? NEVER_FILLED : null),
    },
    fetchPage: snapshotPages(owner, topic),
    apply: store,
    ...deps,
  });
  // An event has its record's state under the same names as an entry of the snapshot.
  const entriesOf = (events: DomainEvent[]) =>
    latestPerAggregate(eventsOf(topic, events)) as unknown as SnapshotOf<OnTopic>[];
  const consumer = createConsumer({
    ...deps,
    group: `${service}.${topic}`,
    topics: [topic],
    apply: (events) => store(entriesOf(events)),
    onGap: refill.again,
  });
  return { consumer, refill };
}
