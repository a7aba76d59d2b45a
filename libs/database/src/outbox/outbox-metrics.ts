import { type Metrics, readTogether } from '@frontdesk/service';
import type { SystemScope } from '../scope/scopes.ts';
import { systemSql } from '../scope/statements.ts';

/** Counting ends here: a larger number would tell an operator nothing more. */
const COUNTED = 10_000;

const look = systemSql<{ waiting: number; oldest_seconds: number; parked: number }>(
  'outbox_look',
  `select
     (select count(*) from (
       select from outbox where published_at is null and parked_at is null limit ${COUNTED}
     ) counted) as waiting,
     coalesce((
       select greatest(extract(epoch from now() - created_at), 0)::float8 from outbox
       where published_at is null and parked_at is null order by id limit 1
     ), 0) as oldest_seconds,
     (select count(*) from outbox where parked_at is not null) as parked`,
);

/** What waits in the outbox, for the relay or for an operator. One statement answers a scrape. */
export function watchOutbox(options: {
  system: SystemScope;
  metrics: Metrics;
  /** Whether this process's relay is the one that publishes. */
  isActive: () => boolean;
}): void {
  const { system, metrics, isActive } = options;
  const outbox = readTogether(() => system.one(look));
  const waiting = `Events in the outbox that are not published yet, counted up to ${COUNTED}.`;
  metrics.watch({ name: 'outbox_waiting', help: waiting }, async () => (await outbox()).waiting);
  const oldest = 'How long the oldest event in the outbox has waited to be published; 0 where none waits.';
  metrics.watch(
    { name: 'outbox_oldest_waiting_seconds', help: oldest },
    async () => (await outbox()).oldest_seconds,
  );
  const parked = 'Parked events that wait for an operator.';
  metrics.watch({ name: 'outbox_parked_waiting', help: parked }, async () => (await outbox()).parked);
  const active = 'Whether this process’s relay is the one that publishes.';
  metrics.watch({ name: 'outbox_relay_active', help: active }, () => Number(isActive()));
}
