import { isUtf8 } from 'node:buffer';
import type { PageQuery, StuckEvent, StuckEventId, StuckEventWithBody } from '@frontdesk/contracts';
import { OUTBOX_CHANNEL } from '../outbox/relay-connection.ts';
import type { SystemScope } from '../scope/scopes.ts';
import { systemSql } from '../scope/statements.ts';

type StuckRow = Omit<StuckEvent, 'since'> & { since: Date };

/** How many events of a tenant. */
interface OfTenant {
  tenant_id: number;
  count: number;
}

export interface DeadLetterRow {
  id: number;
  tenant_id: number | null;
  consumer: string;
  value: Buffer | null;
}

const PARKED = `
  select 'parked-' || id as id, topic, envelope ->> 'type' as type, tenant_id, null as consumer, parked_at as since,
    coalesce(parked_reason, '') as reason
  from outbox where parked_at is not null`;
const DEAD_LETTERS = `
  select 'letter-' || id as id, topic, type, tenant_id, consumer, created_at as since, reason from dead_letters where true`;

// What they hold, and of what type they are, is read of one page's alone.
const page = systemSql<StuckRow, { limit: number; offset: number }>(
  'stuck_events_page',
  `select stuck.* from (
     select 'parked' as kind, id, parked_at as since from outbox where parked_at is not null
     union all select 'letter', id, created_at from dead_letters
     order by since, kind, id limit $limit offset $offset
   ) one cross join lateral (
     ${PARKED} and id = one.id and one.kind = 'parked' union all ${DEAD_LETTERS} and id = one.id and one.kind = 'letter'
   ) stuck order by one.since, one.kind, one.id`,
);
const count = systemSql<{ total: number }>(
  'stuck_events_count',
  `select (select count(*) from outbox where parked_at is not null) + (select count(*) from dead_letters) as total`,
);
const find = {
  parked: systemSql<StuckRow, { id: number }>('stuck_events_find_parked', `${PARKED} and id = $id`),
  letter: systemSql<StuckRow, { id: number }>('stuck_events_find_letter', `${DEAD_LETTERS} and id = $id`),
};
const body = {
  parked: systemSql<{ body: Buffer | null }, { id: number }>(
    'stuck_events_parked_body',
    `select convert_to(envelope::text, 'utf8') as body from outbox where id = $id`,
  ),
  letter: systemSql<{ body: Buffer | null }, { id: number }>(
    'stuck_events_letter_body',
    'select value as body from dead_letters where id = $id',
  ),
};
const remove = {
  parked: systemSql<never, { id: number }>(
    'stuck_events_delete_parked',
    'delete from outbox where id = $id and parked_at is not null',
  ),
  letter: systemSql<never, { id: number }>(
    'stuck_events_delete_letter',
    'delete from dead_letters where id = $id',
  ),
};

// The commit notifies the relay. It would look by itself, a second later.
const unparked = (which: string) => `with unparked as (
     update outbox set parked_at = null, parked_reason = null
     where parked_at is not null and ${which} returning tenant_id
   )
   select tenant_id, count(*) as count, pg_notify('${OUTBOX_CHANNEL}', '') from unparked group by tenant_id`;
const unpark = systemSql<OfTenant, { id: number }>('stuck_events_unpark', unparked('id = $id'));
const unparkOf = systemSql<OfTenant, { tenantIds: number[] }>(
  'stuck_events_unpark_of',
  // No audit log is anybody's below 1.
  unparked('(tenant_id = any($tenantIds::bigint[]) or tenant_id <= 0)'),
);

// A message that can't be read may name a tenant that can't be.
const beginRetry = systemSql<
  { id: number; tenant_id: number },
  { actor: string | null; action: string; withParked: boolean; deadLetterIds: number[] }
>(
  'stuck_events_begin_retry',
  `insert into operator_changes (tenant_id, actor, action, subject, outcome)
   select tenant_id, $actor, $action, 'events: ' || count(*), 'started' from (
     select tenant_id from outbox where parked_at is not null and $withParked
     union all select tenant_id from dead_letters where id = any($deadLetterIds::bigint[])
   ) stuck where tenant_id > 0 group by tenant_id
   returning id, tenant_id`,
);

const deadLetterIds = systemSql<{ id: number }, { afterId: number; limit: number }>(
  'stuck_events_letter_ids',
  'select id from dead_letters where id > $afterId order by id limit $limit',
);
const deadLetter = systemSql<DeadLetterRow, { id: number }>(
  'stuck_events_letter',
  'select id, tenant_id, consumer, value from dead_letters where id = $id',
);

const shown = ({ since, ...row }: StuckRow) => ({ ...row, since: since.toISOString() });

/** What a service's outbox has parked and its consumers have set aside, of all tenants, for operators. */
export function createStuckEvents(system: SystemScope) {
  return {
    /** The oldest first. */
    async page({ page: number, per_page }: PageQuery) {
      const [rows, { total }] = await Promise.all([
        system.many(page, { limit: per_page, offset: (number - 1) * per_page }),
        system.one(count),
      ]);
      return { rows: rows.map(shown), total };
    },
    async find({ kind, id }: StuckEventId) {
      const row = await system.maybeOne(find[kind], { id });
      return row && shown(row);
    },
    async findWithBody(asked: StuckEventId): Promise<StuckEventWithBody | null> {
      const row = await this.find(asked);
      if (row === null) return null;
      const bytes = (await system.maybeOne(body[asked.kind], { id: asked.id }))?.body ?? Buffer.alloc(0);
      const encoding = isUtf8(bytes) ? 'utf8' : 'base64';
      return { ...row, encoding, body: bytes.toString(encoding) };
    },
    /** Gives a parked event to the relay again. @returns how many of each tenant */
    unpark: (id: number) => system.many(unpark, { id }),
    /** The same with all of these tenants, and of what is no tenant's. */
    unparkOf: (tenantIds: number[]) => system.many(unparkOf, { tenantIds }),
    /** Writes down for each tenant that its events are retried: all parked ones, if so, and these dead letters. */
    beginRetry: (
      actor: string | null,
      action: string,
      events: { withParked: boolean; deadLetterIds: number[] },
    ) =>
      system.many(beginRetry, {
        actor,
        action,
        withParked: events.withParked,
        deadLetterIds: events.deadLetterIds,
      }),
    /** The oldest dead letters after this one. */
    deadLetterIdsAfter: async (id: number, limit: number) =>
      (await system.many(deadLetterIds, { afterId: id, limit })).map((row) => row.id),
    deadLetter: (id: number) => system.maybeOne(deadLetter, { id }),
    /** False where it was gone already. */
    remove: async ({ kind, id }: StuckEventId) => (await system.run(remove[kind], { id })) > 0,
  };
}

export type StuckEvents = ReturnType<typeof createStuckEvents>;
