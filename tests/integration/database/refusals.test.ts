import { createDeadLetters, systemSql } from '@frontdesk/database';
import { AppError, createMetrics, type DeadLetters } from '@frontdesk/service';
import { openDatabase } from './database-world.ts';

let world: Awaited<ReturnType<typeof openDatabase>>;
let letters: DeadLetters;

beforeAll(async () => {
  world = await openDatabase();
  letters = createDeadLetters({ database: world.database, metrics: createMetrics() });
  await run('create table days (day integer not null check (day < 100), name text) partition by range (day)');
  await run('create table days_first partition of days for values from (0) to (10)');
  await run('create table texts (text text primary key)');
});
afterAll(() => world.close());

const run = (text: string, value?: unknown) =>
  text.includes('$value')
    ? world.database.system.run(systemSql<never, { value: unknown }>(`test_${text}`.slice(0, 60), text), {
        value,
      })
    : world.database.system.run(systemSql<never>(`test_${text}`.slice(0, 60), text));
const refusalOf = (text: string, value?: unknown) =>
  run(text, value).then(
    () => 'taken',
    (error: unknown) => letters.refusal(error),
  );

it.each([
  ['NUL in a text', 'insert into texts values ($value)', ['Zora\0'], 'SQLSTATE 22021'],
  ['NUL in JSON', 'select $value::jsonb', ['{"name": "Zora\\u0000"}'], 'SQLSTATE 22P05'],
  ['half a surrogate pair in JSON', 'select $value::jsonb', ['{"name": "Zora\\ud800"}'], 'SQLSTATE 22P02'],
  ['no date', 'select $value::date', ['Zora'], 'SQLSTATE 22007'],
  ['a date out of range', 'select $value::date', ['9999999-01-01'], 'SQLSTATE 22008'],
  ['a number out of range', 'select $value::integer', [3_000_000_000], 'SQLSTATE 22003'],
  [
    'no value',
    'insert into things (tenant_id, name) values (1, $value)',
    [null],
    'SQLSTATE 23502, things.name',
  ],
  ['what a rule forbids', 'insert into days_first values ($value)', [100], 'SQLSTATE 23514, days_day_check'],
  [
    'more than an index holds',
    `insert into texts select string_agg(md5(i::text), '') from generate_series(1, $value::integer) i`,
    [1_000],
    'SQLSTATE 54000',
  ],
])('%s is refused for good, and nothing of it is revealed', async (_what, text, args, reason) => {
  const given = await refusalOf(text, ...args);
  expect(given).toContain(reason);
  expect(given).not.toMatch(/Zora|9999999|3000000000/);
});

it.each([
  ['a partition that is still to be made', 'insert into days values (50)'],
  [
    'what is there already',
    `insert into things (tenant_id, name) select 1, 'twin' from generate_series(1, 2)`,
  ],
  ['a table that is missing', 'select from no_such_table'],
])('%s may come right', async (_what, text) => {
  expect(await refusalOf(text)).toBeNull();
});

it.each([
  ...[
    '40001',
    '40P01',
    '55P03',
    '57014',
    '57P01',
    '08006',
    '53100',
    '53200',
    '53300',
    '25006',
    '58030',
    'XX001',
  ],
  ...['23503', '23P01', '42501', '42703'],
])('an error of SQLSTATE %s may pass', async (code) => {
  expect(await refusalOf(`do $$ begin raise exception 'away' using errcode = '${code}'; end $$`)).toBeNull();
});

it('so may whatever is no error of a statement', () => {
  for (const error of [
    new Error('away'),
    new AppError('service_unavailable', 'Away.'),
    'away',
    null,
    undefined,
  ])
    expect(letters.refusal(error)).toBeNull();
});
