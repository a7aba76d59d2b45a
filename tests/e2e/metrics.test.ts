import { METRICS, metricsIn, QUESTIONS } from '../observability/support/metrics-page.ts';
import { sharedSystem } from '../support/index.ts';

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
    expect([...METRICS].toSorted()).toEqual([...new Set(reported.flat())].toSorted());
  });

  it('asks each question of a metric that it names beside it', () => {
    const isAsked = ({ metrics, query }: (typeof QUESTIONS)[number]) =>
      [...metricsIn(query), 'up', 'ALERTS'].some((name) => metrics.includes(name));
    expect(QUESTIONS.filter((question) => !isAsked(question))).toEqual([]);
  });
});
