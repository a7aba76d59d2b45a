import type { ConsumerPosition, ConsumerProgress } from '@frontdesk/service';
import type { Database } from '../database.ts';
import { systemSql } from '../scope/statements.ts';

const load = systemSql<
  { topic: string; partition: number; offset: string; occurred_at: Date | null },
  { consumer: string }
>(
  'consumer_positions_load',
  'select topic, "partition", "offset"::text as "offset", occurred_at from consumer_positions where consumer = $consumer',
);

const save = systemSql<never, { consumer: string; positions: string }>(
  'consumer_positions_save',
  `insert into consumer_positions as known (consumer, topic, "partition", "offset", occurred_at)
   select $consumer, topic, "partition", "offset", occurred_at
   from jsonb_to_recordset($positions::jsonb) as of (topic text, "partition" integer, "offset" bigint, occurred_at timestamptz)
   order by topic, "partition"
   on conflict (consumer, topic, "partition") do update
   set "offset" = excluded."offset", occurred_at = coalesce(excluded.occurred_at, known.occurred_at)`,
);

const recordGap = systemSql<never, { consumer: string; gap: string }>(
  'event_gaps_insert',
  `insert into event_gaps (consumer, topic, "partition", from_offset, to_offset, since, until, is_refilled)
   select $consumer, topic, "partition", from_offset, to_offset, since, until, is_refilled
   from jsonb_to_record($gap::jsonb) as of (
     topic text, "partition" integer, from_offset bigint, to_offset bigint, since timestamptz, until timestamptz,
     is_refilled boolean
   )
   on conflict on constraint event_gaps_once do nothing`,
);

const positionsJson = (positions: readonly ConsumerPosition[]) =>
  JSON.stringify(positions.map(({ occurredAt, ...place }) => ({ ...place, occurred_at: occurredAt })));

/** How far a service's consumers are, and what they have missed, in its own database. */
export function createConsumerProgress({ system }: Database): ConsumerProgress {
  return {
    async load(group) {
      const rows = await system.many(load, { consumer: group });
      return rows.map(({ occurred_at, ...place }) => ({ ...place, occurredAt: occurred_at }));
    },
    async save(group, positions) {
      await system.run(save, { consumer: group, positions: positionsJson(positions) });
    },
    recordGap(group, { fromOffset, toOffset, isRefilled, ...gap }) {
      const { topic, partition, until } = gap;
      const json = JSON.stringify({
        ...gap,
        from_offset: fromOffset,
        to_offset: toOffset,
        is_refilled: isRefilled,
      });
      return system.transaction(async (tx) => {
        await tx.run(save, {
          consumer: group,
          positions: positionsJson([{ topic, partition, offset: toOffset, occurredAt: until }]),
        });
        return (await tx.run(recordGap, { consumer: group, gap: json })) > 0;
      });
    },
  };
}
