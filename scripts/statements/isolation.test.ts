import { type Declared, openReader } from './declared.ts';

const columns = (...more: string[]) => new Set(['tenant_id', 'id', ...more]);
const SCHEMA = new Map([
  ['calls', columns('source_id', 'customer_id', 'status', 'at')],
  ['sources', columns('name', 'token')],
  ['customers', columns('name')],
  ['words', new Set(['id', 'word'])],
]);

let reader: Awaited<ReturnType<typeof openReader>>;

beforeAll(async () => {
  reader = await openReader(SCHEMA);
});

/** As it is declared: `$tenant` stands for the tenant, `$given` for what a caller gives. */
const faultsOf = (kind: Declared['kind'], text: string) =>
  reader.faultsOf({
    kind,
    name: 'read',
    text: text.replaceAll('$tenant', '$1').replaceAll('$given', '$2'),
    names: ['tenantId', 'given'],
  });

describe('a statement of a tenant', () => {
  it.each([
    ['a condition', 'select * from calls where id = $given and tenant_id = $tenant'],
    ['a cast', 'select * from calls where $tenant::bigint = tenant_id'],
    ['a row of values', 'select * from calls where (tenant_id, id) = ($tenant, $given)'],
    ['an alias', 'select c.id from calls c where c.tenant_id = $tenant'],
    ['no table of a tenant', 'select word from words where id = $given'],
    [
      'a join by both',
      'select from calls c join sources s on s.tenant_id = c.tenant_id and s.id = c.source_id where c.tenant_id = $tenant',
    ],
    [
      'a join, the other way round',
      'select from calls c join sources s on s.tenant_id = $tenant and s.id = c.source_id where c.tenant_id = s.tenant_id',
    ],
    ['using', 'select from calls join sources using (tenant_id, id) where tenant_id = $tenant'],
    [
      'a cross join',
      'select from calls c cross join sources s where s.tenant_id = $tenant and c.tenant_id = $tenant',
    ],
    [
      'a left join',
      'select from calls c left join sources s on s.tenant_id = c.tenant_id and s.id = c.source_id where c.tenant_id = $tenant',
    ],
    [
      'a right join',
      'select from sources s right join calls c on s.tenant_id = c.tenant_id and s.id = c.source_id where c.tenant_id = $tenant',
    ],
    [
      'a full join of rows that are',
      `select from (select * from calls where tenant_id = $tenant limit 1) c
       full join (select * from sources where tenant_id = $tenant) s on s.id = c.source_id`,
    ],
    [
      'a query within a query that is correlated',
      `select (select name from sources s where s.tenant_id = calls.tenant_id and s.id = source_id) from calls
       where tenant_id = $tenant and exists (select from customers u where u.tenant_id = calls.tenant_id)`,
    ],
    [
      'a list of rows',
      'select from calls where (tenant_id, source_id) in (select tenant_id, id from sources where tenant_id = $tenant)',
    ],
    [
      'a query that lets conditions through',
      'select from (select * from calls where at > now()) c where tenant_id = $tenant',
    ],
    [
      'a fence',
      'select from (select tenant_id, id from calls where id = $given offset 0) c where c.tenant_id = $tenant',
    ],
    [
      'a lateral query',
      `select from sources s cross join lateral (
         select id from calls c where c.tenant_id = s.tenant_id and c.source_id = s.id order by at limit 1
       ) last where s.tenant_id = $tenant`,
    ],
    [
      'a CTE',
      `with own as materialized (select tenant_id, id from sources where tenant_id = $tenant)
       select from own join calls c on c.tenant_id = own.tenant_id and c.source_id = own.id`,
    ],
    [
      'a union',
      `select from (select tenant_id from calls where tenant_id = $tenant union select tenant_id from sources where tenant_id = $tenant) all_of
       join customers using (tenant_id)`,
    ],
    [
      'a recursion',
      `with recursive walked as (
         (select tenant_id, id from calls where tenant_id = $tenant order by id limit 1)
         union all
         select c.tenant_id, c.id from walked w join calls c on c.tenant_id = w.tenant_id and c.id > w.id
       ) select from walked`,
    ],
    ['an insert', 'insert into calls (tenant_id, id) values ($tenant, $given), ($tenant, 1)'],
    [
      'an insert of rows',
      'insert into calls (id, tenant_id) select id, tenant_id from sources where tenant_id = $tenant',
    ],
    [
      'an insert in place of a row',
      'insert into calls (tenant_id, id) values ($tenant, 1) on conflict (tenant_id, id) do update set status = excluded.status',
    ],
    [
      'an update from another table',
      'update calls c set status = s.name from sources s where c.tenant_id = $tenant and s.tenant_id = c.tenant_id and s.id = c.source_id',
    ],
    ['a deletion', 'delete from calls where tenant_id = $tenant and id = $given returning id'],
    [
      'a deletion by another table',
      'delete from calls c using sources s where s.tenant_id = $tenant and c.tenant_id = s.tenant_id',
    ],
    [
      'what was changed',
      `with gone as (delete from sources where tenant_id = $tenant returning tenant_id, id)
       update calls c set status = '' from gone where c.tenant_id = gone.tenant_id and c.source_id = gone.id`,
    ],
  ])('is sound with %s', (_what, text) => {
    expect(faultsOf('tenant', text)).toEqual([]);
  });

  it.each([
    ['nothing of the tenant', 'select from calls where id = $given', 'calls'],
    ['a tenant of the caller’s', 'select from calls where tenant_id = $given', 'calls'],
    ['a tenant that stands there', 'select from calls where tenant_id = 7', 'calls'],
    ['another operator', 'select from calls where tenant_id <> $tenant', 'calls'],
    ['one of several', 'select from calls where tenant_id = any($given)', 'calls'],
    ['another column', 'select from calls where id = $tenant', 'calls'],
    [
      'a join by id alone',
      'select from calls c join sources s on s.id = c.source_id where c.tenant_id = $tenant',
      'sources',
    ],
    [
      'a comma',
      'select from calls c, sources s where c.tenant_id = $tenant and s.id = c.source_id',
      'sources',
    ],
    [
      'using the id alone',
      'select from calls c join sources s using (id) where c.tenant_id = $tenant',
      'sources',
    ],
    ['an OR', 'select from calls where tenant_id = $tenant or id = $given', 'calls'],
    [
      'an OR within',
      'select from calls where id = $given and (tenant_id = $tenant or status is null)',
      'calls',
    ],
    ['NOT', 'select from calls where not (tenant_id = $tenant)', 'calls'],
    ['CASE', 'select from calls where case when tenant_id = $tenant then true else true end', 'calls'],
    ['coalesce', 'select from calls where coalesce(tenant_id = $tenant, true)', 'calls'],
    ['is not false', 'select from calls where (tenant_id = $tenant) is not false', 'calls'],
    [
      'a query in the columns',
      'select (select name from sources s where s.id = source_id) from calls where tenant_id = $tenant',
      'sources',
    ],
    [
      'exists',
      'select from calls where tenant_id = $tenant and exists (select from sources s where s.id = source_id)',
      'sources',
    ],
    [
      'in',
      'select from calls where tenant_id = $tenant and source_id in (select id from sources)',
      'sources',
    ],
    [
      'a query in the order',
      'select from calls where tenant_id = $tenant order by (select name from sources s where s.id = source_id)',
      'sources',
    ],
    [
      'a query in the limit',
      'select from calls where tenant_id = $tenant limit (select count(*) from sources)',
      'sources',
    ],
    [
      'a query in a filter',
      'select count(*) filter (where exists (select from sources)) from calls where tenant_id = $tenant',
      'sources',
    ],
    [
      'a query in a function',
      'select from unnest(array(select id from sources)) id, calls where tenant_id = $tenant',
      'sources',
    ],
    [
      'a query in values',
      'insert into calls (tenant_id, id) values ($tenant, (select max(id) from calls))',
      'calls',
    ],
    [
      'a query in what is returned',
      'delete from calls where tenant_id = $tenant returning (select name from sources s where s.id = source_id)',
      'sources',
    ],
    [
      'the outer query restricted by the inner',
      'select from calls where exists (select from sources s where s.tenant_id = calls.tenant_id and s.tenant_id = $tenant)',
      'calls',
    ],
    [
      'a lateral query',
      'select from sources s cross join lateral (select from calls c where c.source_id = s.id) c where s.tenant_id = $tenant',
      'calls',
    ],
    [
      'a limit before the condition',
      'select from (select * from calls order by at limit 1) c where tenant_id = $tenant',
      'calls',
    ],
    [
      'a group before the condition',
      'select from (select tenant_id, count(*) from calls group by tenant_id) c where tenant_id = $tenant',
      'calls',
    ],
    [
      'a window before the condition',
      'select from (select tenant_id, rank() over (order by at) from calls) c where tenant_id = $tenant',
      'calls',
    ],
    [
      'a lock before the condition',
      'select from (select tenant_id from calls for update) c where tenant_id = $tenant',
      'calls',
    ],
    [
      'a CTE',
      'with own as (select id from sources) select from calls where tenant_id = $tenant and source_id in (select id from own)',
      'sources',
    ],
    [
      'a CTE that is restricted outside',
      'with own as (select * from sources) select from own where tenant_id = $tenant',
      'sources',
    ],
    [
      'a CTE that nobody reads',
      'with own as (delete from sources) select from calls where tenant_id = $tenant',
      'sources',
    ],
    [
      'a recursion',
      `with recursive walked as (
         select tenant_id, id from calls where tenant_id = $tenant
         union all
         select c.tenant_id, c.id from walked w join calls c on c.id > w.id
       ) select from walked`,
      'calls',
    ],
    [
      'one side of a union',
      'select id from calls where tenant_id = $tenant union all select id from sources',
      'sources',
    ],
    [
      'a union of which one side is not',
      `select from (select tenant_id from calls where tenant_id = $tenant union select $given::bigint) any_of
       join customers u on u.tenant_id = any_of.tenant_id`,
      'customers',
    ],
    [
      'UPDATE … FROM',
      'update calls c set status = s.name from sources s where c.tenant_id = $tenant and s.id = c.source_id',
      'sources',
    ],
    [
      'UPDATE … FROM, of the target',
      'update calls c set status = s.name from sources s where s.tenant_id = $tenant and s.id = c.source_id',
      'calls',
    ],
    ['an update of all', "update calls set status = ''", 'calls'],
    [
      'an update of the tenant',
      'update calls set tenant_id = $given where tenant_id = $tenant',
      'calls.tenant_id',
    ],
    [
      'DELETE … USING',
      'delete from calls c using sources s where c.tenant_id = $tenant and s.id = c.source_id',
      'sources',
    ],
    ['a deletion of all', 'delete from calls', 'calls'],
    [
      'an outer join',
      'select from calls c left join sources s on s.id = c.source_id where c.tenant_id = $tenant',
      'sources',
    ],
    [
      'the kept side of a left join',
      'select from calls c left join sources s on c.tenant_id = $tenant and s.tenant_id = $tenant',
      'calls',
    ],
    [
      'the kept side of a right join',
      'select from calls c right join sources s on c.tenant_id = $tenant and s.tenant_id = $tenant',
      'sources',
    ],
    [
      'the kept side by the other',
      'select from calls c left join sources s on c.tenant_id = s.tenant_id and s.tenant_id = $tenant',
      'calls',
    ],
    [
      'a full join',
      'select from calls c full join sources s on s.tenant_id = c.tenant_id and c.tenant_id = $tenant',
      'calls',
    ],
    ['an insert of a caller’s tenant', 'insert into calls (tenant_id, id) values ($given, $tenant)', 'calls'],
    [
      'an insert of one foreign row',
      'insert into calls (tenant_id, id) values ($tenant, 1), ($given, 2)',
      'calls',
    ],
    ['an insert without columns', 'insert into calls values ($tenant, 1)', 'calls'],
    ['an insert without its tenant', 'insert into calls (id) values ($tenant)', 'calls'],
    [
      'an insert of others’ rows',
      'insert into calls (tenant_id, id) select tenant_id, id from sources',
      'sources',
    ],
    ['a table that the schema does not have', 'select from unknown where id = $tenant', 'unknown'],
  ])('is caught with %s', (_what, text, table) => {
    expect(faultsOf('tenant', text)).toContain(`read: ${table} is not restricted to the tenant`);
  });

  it('is caught where a conflict may be with another tenant’s row', () => {
    for (const on of ['(id)', 'on constraint calls_once'])
      expect(
        faultsOf(
          'tenant',
          `insert into calls (tenant_id, id) values ($tenant, 1) on conflict ${on} do update set status = ''`,
        ),
      ).toEqual(["read: calls is updated on a conflict that may be with another tenant's row"]);
  });

  it.each([
    'select from calls natural join sources',
    'merge into calls using sources on true when matched then delete',
    'truncate calls',
  ])('is not passed over where it can’t be read: %s', (text) => {
    expect(() => faultsOf('tenant', text)).toThrow('can’t read'.replace('’', "'"));
  });
});

describe('a statement across tenants', () => {
  it.each([
    [
      'tenants of a union',
      `select from (select tenant_id from calls union select 0) t
       join sources s on s.tenant_id = t.tenant_id and s.id = $given`,
    ],
    ['one table', 'select from calls where id = $given'],
    [
      'a join by both',
      'select from calls c join sources s on s.tenant_id = c.tenant_id and s.id = c.source_id',
    ],
    ['using both', 'select from calls join sources using (tenant_id, id)'],
    [
      'a list of keys in between',
      `select from unnest($tenant::bigint[], $given::bigint[]) as given (tenant_id, id)
       join calls c on c.tenant_id = given.tenant_id and c.id = given.id
       join sources s on s.tenant_id = given.tenant_id and s.id = c.source_id`,
    ],
    ['a table of no tenant’s', 'select from calls join words on words.id = calls.id'],
    ['the same rows again', 'delete from calls where id in (select id from calls limit 10)'],
    [
      'in, by both',
      'select from calls where (tenant_id, source_id) in (select tenant_id, id from sources) or source_id is null',
    ],
    [
      'in, of rows that are correlated',
      'select from calls c where c.source_id in (select s.id from sources s where s.tenant_id = c.tenant_id)',
    ],
    [
      'any, of rows that are correlated',
      'select from calls c where c.source_id = any(array(select s.id from sources s where s.tenant_id = c.tenant_id))',
    ],
    [
      'tenants of another table',
      "delete from calls where tenant_id not in (select tenant_id from sources where name = '')",
    ],
    ['what is no query', 'do $x$ begin perform 1; end $x$'],
  ])('is sound with %s', (_what, text) => {
    expect(faultsOf('system', text)).toEqual([]);
  });

  it.each([
    ['a join by id alone', 'select from calls c join sources s on s.id = c.source_id'],
    ['using the id alone', 'select from calls c join sources s using (id)'],
    ['a comma', 'select from calls c, sources s where s.id = c.source_id'],
    ['an outer join', 'select from calls c left join sources s on s.id = c.source_id'],
    ['a query within', 'select (select name from sources s where s.id = c.source_id) from calls c'],
    [
      'a CTE',
      'with own as (select id from sources limit 3) select from calls c join own on own.id = c.source_id',
    ],
    ['UPDATE … FROM', 'update calls c set status = s.name from sources s where s.id = c.source_id'],
    [
      'one side that is equal to a constant',
      'select from calls c join sources s on s.id = c.source_id and s.tenant_id = $tenant',
    ],
    ['in', 'delete from calls where source_id in (select id from sources)'],
    ['not in', 'delete from calls where source_id not in (select id from sources)'],
    ['any', 'delete from calls where source_id = any(array(select id from sources))'],
    ['any, cast', 'delete from calls where source_id = any(array(select id from sources)::bigint[])'],
    ['any of a query', 'delete from calls where source_id = any(select id from sources)'],
    ['in, of a row', 'delete from calls where (source_id, status) in (select id, name from sources)'],
    [
      'in, of both in another order',
      'delete from calls where (tenant_id, source_id) in (select id, tenant_id from sources)',
    ],
    [
      'in, of a CTE',
      'with own as (select id from sources limit 3) delete from calls where source_id in (select id from own)',
    ],
    [
      'in, of the other side of a union',
      'delete from calls where source_id in (select 1::bigint union select id from sources)',
    ],
    ['in, within an OR', 'select from calls where status is null or source_id in (select id from sources)'],
    ['in, within a column', 'select source_id in (select id from sources) from calls'],
    [
      'in, within CASE',
      'select from calls where case when source_id in (select id from sources) then true else false end',
    ],
    [
      'in, within an ON',
      'select from words w join calls c on c.id = w.id and c.source_id in (select id from sources)',
    ],
    [
      'in, within SET',
      "update calls set status = case when source_id = any(array(select id from sources)) then '' end",
    ],
  ])('is caught with %s', (_what, text) => {
    const [fault] = faultsOf('system', text);
    expect(fault).toMatch(/^read: (calls and sources|sources and calls) are joined without their tenant_id$/);
  });
});

describe('a text of an entity', () => {
  it.each([
    'SELECT "calls"."id" FROM "calls" "calls" WHERE (("calls"."id" = $1) AND ("calls"."tenant_id" = $2)) LIMIT 1',
    'INSERT INTO "calls"("tenant_id", "id") VALUES ($1, DEFAULT) RETURNING "id"',
    'UPDATE "calls" SET "tenant_id" = $1, "status" = $2 WHERE ("id" = $3 AND "tenant_id" = $4) RETURNING "id"',
    'DELETE FROM "calls" WHERE "id" = $1 AND "tenant_id" = $2',
  ])('is sound: %s', (text) => {
    expect(reader.faultsOfEntities(text)).toEqual([]);
  });

  it.each([
    'SELECT "calls"."id" FROM "calls" "calls" WHERE (("calls"."id" = $1)) LIMIT 1',
    'UPDATE "calls" SET "status" = $1 WHERE "id" = $2',
    'DELETE FROM "calls" WHERE "id" = $1',
  ])('is caught: %s', (text) => {
    expect(reader.faultsOfEntities(text)).toEqual([`${text}: calls is not restricted to the tenant`]);
  });
});

describe('a statement that may look rows up by a key alone', () => {
  const lookups = [['sources.id', 'calls.source_id']] as const;
  const faultsWith = async (kind: Declared['kind'], text: string) => {
    const { faultsOf } = await openReader(SCHEMA, { read: { lookups, reason: 'It is a test.' } });
    return faultsOf({ kind, name: 'read', text: text.replaceAll('$tenant', '$1'), names: ['tenantId'] });
  };

  it.each([
    ['tenant', 'select from calls c join sources s on s.id = c.source_id where c.tenant_id = $tenant'],
    [
      'tenant',
      `select from (select source_id from calls where tenant_id = $tenant limit 3) c
       cross join lateral (select name from sources s where s.id = c.source_id limit 1) s`,
    ],
    ['system', 'select from calls c join sources s on c.source_id = s.id'],
    ['system', 'delete from calls where source_id in (select id from sources)'],
  ] as const)('is sound, of a %s: %s', async (kind, text) => {
    expect(await faultsWith(kind, text)).toEqual([]);
  });

  it.each([
    [
      'the key by the column',
      'select from calls c join sources s on s.id = c.source_id where s.tenant_id = $tenant',
      'calls',
    ],
    [
      'another column',
      'select from calls c join sources s on s.name = c.source_id where c.tenant_id = $tenant',
      'sources',
    ],
    [
      'another key',
      'select from calls c join sources s on s.id = c.id where c.tenant_id = $tenant',
      'sources',
    ],
    [
      'the key of another table',
      'select from customers u join sources s on s.id = u.id where u.tenant_id = $tenant',
      'sources',
    ],
    ['a key of whosever row', 'select from calls c join sources s on s.id = c.source_id', 'sources'],
    [
      'a key that may be a caller’s',
      `select from (select source_id from calls where tenant_id = $tenant union select 7) c
       cross join lateral (select name from sources s where s.id = c.source_id limit 1) s`,
      'sources',
    ],
    [
      'a key that may be another column',
      `select from (select source_id from calls where tenant_id = $tenant union select id from calls where tenant_id = $tenant) c
       cross join lateral (select name from sources s where s.id = c.source_id limit 1) s`,
      'sources',
    ],
    [
      'another table beside it',
      `select from calls c join sources s on s.id = c.source_id join customers u on u.id = c.customer_id
       where c.tenant_id = $tenant`,
      'customers',
    ],
  ])('is caught, of a tenant, with %s', async (_what, text, table) => {
    expect(await faultsWith('tenant', text)).toContain(`read: ${table} is not restricted to the tenant`);
  });

  it.each([
    ['another column', 'select from calls c join sources s on s.name = c.source_id'],
    ['another key', 'delete from sources where id in (select customer_id from calls)'],
  ])('is caught, across tenants, with %s', async (_what, text) => {
    expect(await faultsWith('system', text)).toEqual([
      expect.stringMatching(
        /^read: (calls and sources|sources and calls) are joined without their tenant_id$/,
      ),
    ]);
  });
});
