import { Client } from 'pg';

/** What extensions bring is theirs. */
const own = (catalogue: string, id: string) =>
  `not exists (select from pg_depend d where d.classid = '${catalogue}'::regclass and d.objid = ${id} and d.deptype = 'e')`;

/** One line for each table, column, constraint, index, sequence, function and extension, as PostgreSQL itself writes it. */
const SCHEMA = `
  with tables as (select * from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p'))
  select concat_ws(' ', 'table', t.relname, t.reloptions::text, pg_get_partkeydef(t.oid),
    (select 'of ' || i.inhparent::regclass from pg_inherits i where i.inhrelid = t.oid), pg_get_expr(t.relpartbound, t.oid)) as line
  from tables t
  union all
  select concat_ws(' ', 'column', t.relname,
    (select count(*) from pg_attribute b where b.attrelid = t.oid and b.attnum between 1 and a.attnum and not b.attisdropped),
    a.attname, format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end,
    nullif('identity ' || a.attidentity::text, 'identity '), nullif('generated ' || a.attgenerated::text, 'generated '), pg_get_expr(d.adbin, d.adrelid))
  from tables t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  union all
  select concat_ws(' ', 'constraint', t.relname, c.conname, pg_get_constraintdef(c.oid))
  from tables t join pg_constraint c on c.conrelid = t.oid
  union all
  select concat_ws(' ', 'index', pg_get_indexdef(i.indexrelid), case when not i.indisvalid then 'invalid' end)
  from tables t join pg_index i on i.indrelid = t.oid
  union all
  select concat_ws(' ', 'sequence', s.seqrelid::regclass, s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmin, s.seqmax,
    s.seqcache, s.seqcycle)
  from pg_sequence s
  union all
  select 'function ' || pg_get_functiondef(p.oid) from pg_proc p
  where p.pronamespace = 'public'::regnamespace and ${own('pg_proc', 'p.oid')} and p.prokind = 'f'
  union all
  select 'extension ' || extname from pg_extension
  union all
  select 'migration ' || name from migrations`;

/** The days that partitions and their bounds are named by, as numbers since 1970. */
const DAYS = /(?<=_)2\d{4}(?!\d)|(?<=')2\d{4}(?=0{10}')/g;

/**
 * A migrated database's whole schema and the names of its migrations, in lines that are equal where schemas are. Days are counted from the
 * first partition on.
 */
export async function schemaOf(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ line: string }>(SCHEMA);
    const days = rows.flatMap(({ line }) => line.match(DAYS) ?? []).map(Number);
    const since = (day: string) => `day${Number(day) - Math.min(...days)}`;
    return rows.map(({ line }) => line.replace(DAYS, since)).sort();
  } finally {
    await client.end();
  }
}
