/** Which columns one statement may look rows up by, without their `tenant_id`. */
export interface Exemption {
  /** Each a column and the key that it is looked up by, as `table.column`; the key is unique across tenants. */
  lookups: readonly (readonly [column: string, key: string])[];
  reason: string;
}

/** By the names of the statements. */
export const BY_KEY_ALONE: Readonly<Record<string, Exemption>> = {
  deliveries_record: {
    lookups: [
      ['deliveries.endpoint_id', 'delivery_queue.endpoint_id'],
      ['deliveries.event_row', 'delivery_queue.event_row'],
    ],
    reason: 'The lease’s token shows that the row of the queue is the one that was claimed.',
  },
  events_count_missed: {
    lookups: [
      ['deliveries.event_row', 'events.id'],
      ['events.event_id', 'events.event_id'],
    ],
    reason: 'On a day that has just begun, an index by tenant looks as good as that by the key.',
  },
  replays_known: {
    lookups: [['deliveries.event_row', 'events.id']],
    reason: 'On a day that has just begun, an index by tenant looks as good as that by the key.',
  },
  stuck_events_page: {
    lookups: [['outbox.id', 'dead_letters.id']],
    reason:
      'Of what a page of parked events and dead letters has read, the rest is looked up; neither is any tenant’s to see.',
  },
};
