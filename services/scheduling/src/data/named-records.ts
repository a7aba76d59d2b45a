import { type TenantReads, tenantSql } from '@frontdesk/database';

export interface NamedRecord {
  id: number;
  name: string;
}

/** `update … set` and `insert … select` of one record, given as JSON. */
type Entry = [entry: string];

function namedStatements(table: 'services' | 'staff', types: Record<string, string>) {
  const names = Object.keys(types);
  const columns = names.join(', ');
  const entry = `entry(position integer, ${names.map((name) => `${name} ${types[name]}`).join(', ')})`;

  // A booking holds the rows that it names until it is in, so it comes before or after each holder of such a row.
  const lock = tenantSql<{ id: number }, [ids: number[]]>(
    `${table}_lock`,
    `select id from ${table} where tenant_id = $1 and id = any($2::bigint[]) order by id for update`,
  );
  const count = tenantSql<{ count: number; active: number }>(
    `${table}_count`,
    `select count(*), count(*) filter (where is_active) as active
     from ${table} where tenant_id = $1 and deleted_at is null`,
  );
  const insert = tenantSql<{ id: number; version: number }, Entry>(
    `${table}_insert`,
    `insert into ${table} (tenant_id, ${columns})
     select $1, ${columns} from json_to_record($2::json) as ${entry}
     returning id, version`,
  );
  const update = tenantSql<{ version: number }, [id: number, ...Entry]>(
    `${table}_update`,
    `update ${table}
     set (${columns}) = (select ${names.map((name) => `entry.${name}`).join(', ')} from json_to_record($3::json) as ${entry}),
       version = version + 1
     where tenant_id = $1 and id = $2 and deleted_at is null
     returning version`,
  );
  const bump = tenantSql<{ version: number }, [id: number]>(
    `${table}_bump`,
    `update ${table} set version = version + 1 where tenant_id = $1 and id = $2 returning version`,
  );
  const remove = tenantSql<{ version: number }, [id: number]>(
    `${table}_remove`,
    `update ${table} set deleted_at = now(), is_active = false, version = version + 1
     where tenant_id = $1 and id = $2 and deleted_at is null
     returning version`,
  );
  const upsert = tenantSql<NamedRecord, [entries: string]>(
    `${table}_upsert`,
    `insert into ${table} (tenant_id, ${columns})
     select $1, ${columns} from json_to_recordset($2::json) as ${entry} order by position
     on conflict (tenant_id, name) where deleted_at is null do update
     set (${columns}) = row(${names.map((name) => `excluded.${name}`).join(', ')}), version = ${table}.version + 1
     returning id, name`,
  );

  return { lock, count, insert, update, bump, remove, upsert };
}

/**
 * The writes of services and staff, which are alike: a name that nobody else bears who isn't deleted, a version that grows with every
 * change, deletion that keeps the row for the appointments that name it. `types` are the columns and what they hold.
 */
export function namedRecords<Fields extends { name: string }>(
  table: 'services' | 'staff',
  types: Record<keyof Fields & string, string>,
) {
  const statements = namedStatements(table, types);

  return {
    /** The index that lets each name be borne once. */
    nameKey: `${table}_name_key`,
    /** Holds the rows until the transaction ends. What precedes it in another transaction is seen by the next statement. */
    lock: (db: TenantReads, ids: number[]) => db.many(statements.lock, ids),
    /** How many records there are, and how many of them are active. */
    count: (db: TenantReads) => db.one(statements.count),
    /** @throws a violation of `nameKey`; so does `update`. */
    insert: (db: TenantReads, fields: Fields) => db.one(statements.insert, JSON.stringify(fields)),
    update: (db: TenantReads, id: number, fields: Fields) =>
      db.one(statements.update, id, JSON.stringify(fields)),
    /** Another version for what is kept beside the row. */
    bump: (db: TenantReads, id: number) => db.one(statements.bump, id),
    remove: (db: TenantReads, id: number) => db.one(statements.remove, id),
    /** Adds or changes by name; what is new gets its id in the order of the list. */
    upsert: (db: TenantReads, list: Fields[]) =>
      db.many(statements.upsert, JSON.stringify(list.map((fields, position) => ({ position, ...fields })))),
  };
}
