import { systemSql } from '@frontdesk/database';
import { openDatabase } from './database-world.ts';

const echo = systemSql<
  { texts: (string | null)[]; numbers: number[]; flags: (boolean | null)[] },
  { texts: (string | null)[]; numbers: number[]; flags: (boolean | null)[] }
>('echo_arrays', 'select $texts::text[] as texts, $numbers::float8[] as numbers, $flags::boolean[] as flags');
const echoDates = systemSql<{ dates: Date[] }, { dates: Date[] }>(
  'echo_dates',
  'select $dates::timestamptz[] as dates',
);

let world: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  world = await openDatabase();
});
afterAll(() => world.close());

it('arrays come to PostgreSQL as they are', async () => {
  const { system } = world.database;
  const controls = String.fromCharCode(...Array.from({ length: 0x9f }, (_, code) => code + 1));
  const pieces = [
    '',
    'NULL',
    'null',
    '{',
    '}',
    ',',
    ' ',
    '"',
    '\\',
    "'",
    '\n',
    '\u2028',
    'ü',
    '💈',
    '$1',
    controls,
  ];
  const texts = [null, ...pieces, ...pieces.flatMap((a) => pieces.map((b) => `${a}${b}"`))];
  const numbers = [0, -1, 1.5, 1e300, 5e-324, Number.MAX_SAFE_INTEGER];
  const flags = [true, null, false];
  expect(await system.one(echo, { texts, numbers, flags })).toEqual({ texts, numbers, flags });
  expect(await system.one(echo, { texts: [], numbers: [], flags: [] })).toEqual({
    texts: [],
    numbers: [],
    flags: [],
  });
});

it('arrays of other things too', async () => {
  const dates = [new Date(0), new Date('2026-03-29T01:00:00.123Z')];
  expect(await world.database.system.one(echoDates, { dates })).toEqual({ dates });
});
