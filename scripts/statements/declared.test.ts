import { BY_KEY_ALONE } from './by-key-alone.ts';
import { ambiguousNames, openReader, readDeclared } from './declared.ts';
import { readSchema } from './schema.ts';

let declared: Awaited<ReturnType<typeof readDeclared>>;
let reader: Awaited<ReturnType<typeof openReader>>;

beforeAll(async () => {
  declared = await readDeclared();
  reader = await openReader(await readSchema());
});

it('no statement reaches another tenant’s rows', () => {
  const places = [
    'calls',
    'crm',
    'database',
    'gateway',
    'merges',
    'scheduling',
    'settings-ui',
    'tenants',
    'webhooks',
  ];
  expect(new Set(declared.map(({ file }) => file.split('/')[1]))).toEqual(new Set(places));
  expect(declared.flatMap(reader.faultsOf)).toEqual([]);
});

it('no exemption names a column that its statement does not look up by that key alone', async () => {
  const schema = await readSchema();
  const unneeded: string[] = [];
  for (const [name, { lookups, reason }] of Object.entries(BY_KEY_ALONE))
    for (const lookup of lookups) {
      const fewer = { lookups: lookups.filter((other) => other !== lookup), reason };
      const { faultsOf } = await openReader(schema, { [name]: fewer });
      const isNeeded = declared.some(
        (statement) => statement.name === name && faultsOf(statement).length > 0,
      );
      if (!isNeeded) unneeded.push(`${name}: ${lookup.join(' by ')}`);
    }
  expect(unneeded).toEqual([]);
});

describe('names of statements', () => {
  const statement = (name: string, file: string, text = 'select 1') => ({ name, text, file });
  const [inLibrary, inService] = ['libs/database/src/counts/a.ts', 'services/crm/src/visits/a.ts'];

  it('say which one is meant', () => {
    expect(ambiguousNames(declared)).toEqual([]);
  });

  it.each([
    [
      'of two services',
      [statement('find', inService), statement('find', 'services/calls/src/a.ts', 'select 2')],
    ],
    [
      'of one that two files of a service declare',
      [statement('find', inService), statement('find', `${inService}x`)],
    ],
  ])('may be those %s', (_what, statements) => {
    expect(ambiguousNames(statements)).toEqual([]);
  });

  it.each([
    [
      'two of a service',
      [statement('find', inService), statement('find', `${inService}x`, 'select 2')],
      'services/crm',
    ],
    [
      'one of a library and one of a service',
      [statement('find', inLibrary), statement('find', inService)],
      'libs/database, services/crm',
    ],
    [
      'one of each of two libraries',
      [statement('find', inLibrary), statement('find', 'libs/tenants/src/a.ts')],
      'libs/database, libs/tenants',
    ],
  ])('are refused where they are those of %s', (_what, statements, places) => {
    expect(ambiguousNames([statement('other', inService), ...statements])).toEqual([
      `find: several statements have this name in ${places}`,
    ]);
  });
});
