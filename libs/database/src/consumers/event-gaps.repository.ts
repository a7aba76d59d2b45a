import type { eventGap, PageQuery } from '@frontdesk/contracts';
import type { z } from 'zod';
import type { SystemScope } from '../scope/scopes.ts';
import { systemSql } from '../scope/statements.ts';

const RETENTION_DAYS = 90;

interface GapRow {
  id: number;
  consumer: string;
  topic: string;
  partition: number;
  from_offset: number | null;
  to_offset: number;
  since: Date | null;
  until: Date;
  found_at: Date;
  is_refilled: boolean;
}

const list = systemSql<GapRow, { limit: number; offset: number }>(
  'event_gaps_page',
  `select id, consumer, topic, "partition", from_offset, to_offset, since, until, found_at, is_refilled
   from event_gaps order by id desc limit $limit offset $offset`,
);
const count = systemSql<{ total: number }>('event_gaps_count', 'select count(*) as total from event_gaps');

/** What a service's consumers have missed, the latest gap first. */
export async function listEventGaps(
  system: SystemScope,
  { page, per_page }: PageQuery,
): Promise<{ gaps: z.output<typeof eventGap>[]; total: number }> {
  const [rows, { total }] = await Promise.all([
    system.many(list, { limit: per_page, offset: (page - 1) * per_page }),
    system.one(count),
  ]);
  return { gaps: rows.map(toGap), total };
}

const purge = systemSql<never>(
  'housekeeping_event_gaps',
  `delete from event_gaps where found_at < now() - interval '${RETENTION_DAYS} days'`,
);

export const purgeEventGaps = (system: SystemScope) => system.run(purge);

function toGap({ since, until, found_at, ...row }: GapRow) {
  const { from_offset, to_offset } = row;
  return {
    ...row,
    // A topic that was made anew begins before what was missed of the old one.
    missing: from_offset !== null && to_offset > from_offset ? to_offset - from_offset : null,
    since: since?.toISOString() ?? null,
    until: until.toISOString(),
    found_at: found_at.toISOString(),
  };
}
