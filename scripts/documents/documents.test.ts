import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { REPOSITORY } from '../repository.ts';
import { settingsRoutesTable } from './settings-routes.ts';
import { withTable } from './tables.ts';
import { allVariables, variableTables } from './variables.ts';

const read = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8');
const pages = ['*.md', 'docs/**/*.md', 'services/*/README.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: REPOSITORY }),
);

it.each([...variableTables()])(
  '%s lists the variables of the schemas: npm run -s write-tables writes them',
  (path, table) => {
    expect(read(path)).toBe(withTable(read(path), table));
  },
);

it('docs/settings.md lists the routes of the settings: npm run -s write-tables writes them', async () => {
  const [document, table] = [read('docs/settings.md'), await settingsRoutesTable()];
  expect(document).toBe(withTable(document, table));
  expect(table).toContain(
    '| `POST /settings/calendar/appointments/{id}/move` | `starts_at`, `staff_id`, `version` | 200 |',
  );
  expect(table).toContain('| `GET /settings/calls/{id}` |  | 200 |');
});

it('every variable of a service is in its README, or in a table of several services', () => {
  const tables = variableTables();
  for (const { name, services } of allVariables()) {
    const path =
      services.length > 1
        ? ['docs/configuration.md', 'docs/traces.md']
        : [`services/${services[0]}/README.md`];
    expect(path.map((one) => tables.get(one)).join('\n')).toContain(`| \`${name}\` |`);
  }
});

it('where a page states a default, it is that of the schema', () => {
  const defaults = Map.groupBy(allVariables(), ({ name }) => name);
  const stated = pages.flatMap((page) =>
    [...read(page).matchAll(/`([A-Z][A-Z_]+)` \((\d+)[);]/g)].map(([, name = '', value]) => ({
      page,
      name,
      value,
    })),
  );
  const wrong = stated.filter(({ name, value }) => {
    const known = defaults.get(name);
    return known && !known.some(({ byDefault }) => byDefault === value);
  });

  expect(stated.length).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
});

describe('a variable', () => {
  const variables = (of: Record<string, z.ZodType>, others: Record<string, z.ZodType> = {}) =>
    allVariables({ one: z.object(of), two: z.object(others) });

  it.each([
    [z.string().describe('text'), ''],
    [z.string().optional().describe('text'), 'none'],
    [z.string().default('').describe('text'), 'none'],
    [z.coerce.number().default(4_000).describe('text'), '4000'],
    [z.stringbool().default(false).describe('text'), '`false`'],
    [z.string().prefault('80,443').describe('text'), '`80,443`'],
    [z.string().default('a').transform(Number).refine(Boolean).describe('text'), '`a`'],
    [
      z
        .string()
        .transform((list) => list.split(','))
        .default(['a', 'b'])
        .describe('text'),
      '`a,b`',
    ],
    [z.string().optional().meta({ description: 'text', whenUnset: 'the system’s' }), 'the system’s'],
  ])('has its default: %#', (schema, byDefault) => {
    expect(variables({ NAME: schema })).toEqual([
      { name: 'NAME', description: 'text', byDefault, services: ['one'] },
    ]);
  });

  it('is one of several services where they describe it in the same words, with the same default', () => {
    const schema = z.string().describe('text');
    const of = (other: z.ZodType) =>
      variables({ NAME: schema }, { NAME: other }).map(({ services }) => services);
    expect(of(z.string().describe('text'))).toEqual([['one', 'two']]);
    expect(of(z.string().describe('other words'))).toEqual([['one'], ['two']]);
    expect(of(z.string().default('a').describe('text'))).toEqual([['one'], ['two']]);
  });

  it('must be described', () => {
    expect(() => variables({ NAME: z.string() })).toThrow('NAME of one has no description.');
  });
});

it('a document without its mark, or with two, is refused', () => {
  const marked = withTable(
    `Text\n\n${/<!--.*-->/.exec(read('docs/configuration.md'))?.[0]}\n\n| old |\n\nMore\n`,
    '| new |',
  );
  expect(marked).toContain('-->\n\n| new |\n\nMore\n');
  expect(() => withTable('Text\n', '| new |')).toThrow('It must have one line');
  expect(() => withTable(`${marked}${marked}`, '| new |')).toThrow('It must have one line');
});
