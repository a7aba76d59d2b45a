import { readFileSync } from 'node:fs';
import { sharedSystem } from '../support/index.ts';

const PAGE = 'docs/metrics.md';
const NAME = /\b[a-z]+(?:_[a-z0-9]+)+\b/g;

/** The cells of the page's tables, by line: question, metrics, query. */
const rows = readFileSync(PAGE, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
const onPage = new Set(rows.flatMap(([, , metrics = '']) => metrics.match(NAME) ?? []));

describe('the page of metrics', () => {
  it('names every metric that a running service reports, and no other', async () => {
    const { urls } = await sharedSystem();
    const internal = Object.entries(urls).flatMap(([name, url]) => (name.endsWith('Internal') ? [url] : []));
    expect(internal).toHaveLength(6);
    const reported = await Promise.all(
      internal.map(async (url) => {
        const text = await (await fetch(`${url}/metrics`)).text();
        return text
          .matchAll(/^# TYPE (\S+) /gm)
          .map(([, name = '']) => name)
          .toArray();
      }),
    );
    expect([...onPage].toSorted()).toEqual([...new Set(reported.flat())].toSorted());
  });

  it('asks each question of a metric that it names beside it', () => {
    const isAsked = ([, , metrics = '', query = '']: string[]) =>
      !query.startsWith('`') || metrics.match(NAME)?.some((name) => query.includes(name));
    expect(rows.filter((row) => !isAsked(row))).toEqual([]);
  });
});
