import { type TenantStatement, tenantSql } from '@frontdesk/database';
import type { CalendarChange } from '../domain/own-calendar.ts';
import { hoursEntries, spanMinutes } from '../domain/weekly-hours.ts';
import type { TenantReads } from './tenant-reads.ts';

type Part = 'working_hours' | 'dated_hours' | 'time_off';
type Insert = TenantStatement<never, [entries: string]>;

const clear = (table: Part) =>
  tenantSql<never, [resourceIds: number[]]>(
    `${table}_clear`,
    `delete from ${table} where tenant_id = $1 and resource_id = any($2::bigint[])`,
  );

const insert = (table: Part, columns: Record<string, string>): Insert =>
  tenantSql(
    `${table}_insert`,
    `insert into ${table} (tenant_id, resource_id, ${Object.keys(columns).join(', ')})
     select $1, resource_id, ${Object.keys(columns).join(', ')}
     from json_to_recordset($2::json) as entry(
       resource_id bigint, ${Object.entries(columns)
         .map((column) => column.join(' '))
         .join(', ')})`,
  );

const STATEMENTS = {
  working_hours: {
    clear: clear('working_hours'),
    insert: insert('working_hours', {
      weekday: 'smallint',
      start_minute: 'smallint',
      end_minute: 'smallint',
    }),
  },
  dated_hours: {
    clear: clear('dated_hours'),
    insert: insert('dated_hours', { date: 'date', spans: 'jsonb', note: 'text' }),
  },
  time_off: {
    clear: clear('time_off'),
    insert: insert('time_off', { starts_at: 'timestamp', ends_at: 'timestamp', note: 'text' }),
  },
};

async function replace(
  db: TenantReads,
  part: Part,
  changes: ReadonlyMap<number, CalendarChange>,
  rowsOf: (change: CalendarChange) => object[] | undefined,
): Promise<void> {
  const given = [...changes].flatMap(([id, change]) => {
    const rows = rowsOf(change);
    return rows ? [{ id, rows }] : [];
  });
  if (given.length === 0) return;
  await db.run(
    STATEMENTS[part].clear,
    given.map(({ id }) => id),
  );
  const entries = given.flatMap(({ id, rows }) => rows.map((row) => ({ resource_id: id, ...row })));
  await db.run(STATEMENTS[part].insert, JSON.stringify(entries));
}

/** Replaces those parts of calendars that are given, in six statements however many they are. */
export async function replaceCalendars(
  db: TenantReads,
  changes: ReadonlyMap<number, CalendarChange>,
): Promise<void> {
  await replace(db, 'working_hours', changes, ({ hours }) => hours && hoursEntries(hours));
  await replace(db, 'dated_hours', changes, ({ exceptions }) =>
    exceptions?.map(({ date, hours, note }) => ({ date, spans: spanMinutes(hours), note })),
  );
  await replace(db, 'time_off', changes, ({ time_off }) =>
    time_off?.map(({ start, end, note }) => ({ starts_at: start, ends_at: end, note })),
  );
}
