import { setInterval } from 'node:timers/promises';
import type { QueryRunner } from './migration.ts';

const LOOK_EVERY_MS = 200;

/**
 * What one process of PostgreSQL keeps others from, and what it waits for. Tables that it has just made are seen by nobody yet, so
 * they keep nobody waiting.
 */
const LOCKS = `
  select l.granted, l.mode, c.oid::regclass::text as "table", (
    select string_agg(distinct coalesce(nullif(a.application_name, ''), a.usename), ', ')
    from pg_stat_activity a where a.pid = any (pg_blocking_pids(l.pid))
  ) as blockers
  from pg_locks l left join pg_class c on c.oid = l.relation
  where l.pid = $1 and (
    not l.granted
    or (c.relkind in ('r', 'p') and c.relnamespace <> 'pg_catalog'::regnamespace and l.mode = any ($2))
  )
  order by l.granted, "table"`;

interface Lock {
  granted: boolean;
  mode: string;
  table: string | null;
  blockers: string | null;
}

/** The modes that keep others from a table, and from what. */
const HELD_UP: Readonly<Record<string, string>> = {
  ShareLock: 'writes',
  ShareRowExclusiveLock: 'writes',
  ExclusiveLock: 'writes',
  AccessExclusiveLock: 'reads and writes',
};

/** Tells, five times a second, which locks a process of PostgreSQL holds or waits for, where there are any. */
export function watchLocks(
  runner: QueryRunner,
  pidOf: () => number,
  tell: (what: string) => void,
): { lastWait: () => string; stop: () => Promise<void> } {
  const stopping = new AbortController();
  let lastWait = '';
  const look = async () => {
    const locks = (await runner.query(LOCKS, [pidOf(), Object.keys(HELD_UP)])) as Lock[];
    const words = locks.map(inWords);
    lastWait = words.find((_, index) => locks[index]?.granted === false) ?? lastWait;
    if (words.length > 0) tell(words.join('; '));
  };
  const watching = (async () => {
    try {
      for await (const _ of setInterval(LOOK_EVERY_MS, undefined, { signal: stopping.signal }))
        if (pidOf() !== 0) await look();
    } catch (error) {
      // What is told is a service to the operator: the migration itself will say what is wrong with the database.
      if (!stopping.signal.aborted) tell(`its locks can't be seen: ${(error as Error).message}`);
    }
  })();
  return {
    lastWait: () => lastWait,
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}

function inWords({ granted, mode, table, blockers }: Lock): string {
  if (granted) return `holds up ${HELD_UP[mode]} of ${table}`;
  return `waits for ${table ?? 'a row'}, which ${blockers ?? 'another session'} has locked`;
}
