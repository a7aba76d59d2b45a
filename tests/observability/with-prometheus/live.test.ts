import { type LocalSystem, startLocalSystem } from '../../e2e/support/local-system.ts';
import { eventually, type Receiver, startReceiver } from '../../support/index.ts';
import { ALERTS } from '../support/alerts.ts';
import { asSent, DASHBOARDS, exprsOf, questionsOf } from '../support/dashboards.ts';
import { QUESTIONS, selectorsIn } from '../support/metrics-page.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';
import { makeTraffic } from './traffic.ts';

/** At the end of a query: what a healthy system has no series beyond. */
const COMPARISON = / (?:==|!=|>|<) [\d.]+$/;

describe('a Prometheus that has scraped the running system', () => {
  let system: LocalSystem;
  let receiver: Receiver;
  let prometheus: Prometheus;

  beforeAll(async () => {
    receiver = await startReceiver();
    system = await startLocalSystem();
    prometheus = await startPrometheus(system.portBase);
    await eventually(async () => expect(await prometheus.query('up == 1')).toHaveLength(6));
    await makeTraffic(system, receiver);
  });
  afterAll(async () => {
    await prometheus?.stop();
    await system?.stop();
    await receiver?.close();
  });

  /** Waits for series: rates need two scrapes. */
  const hasSeries = (expr: string) =>
    eventually(async () => {
      if ((await prometheus.query(expr)).length === 0) throw new Error(`no series: ${expr}`);
    });

  const panels = DASHBOARDS.flatMap((dashboard) =>
    questionsOf(dashboard).flatMap((panel) =>
      exprsOf(panel).map((expr) => [dashboard.title, panel.title, expr] as const),
    ),
  );

  it.each(panels)('%s: %s has series', async (_dashboard, _title, expr) => {
    const sent = asSent(expr);
    expect(await prometheus.query(sent)).toEqual(expect.any(Array));
    await hasSeries(sent.replace(COMPARISON, ''));
  });

  it.each(QUESTIONS.map(({ question, query }) => [question, query]))(
    'docs/metrics.md: %s has series',
    (_question, query = '') => hasSeries(query.replace(COMPARISON, '')),
  );

  it.each(ALERTS.map(({ alert, expr }) => [alert, expr]))(
    'the alert %s reads series',
    async (_alert, expr = '') => {
      const selectors = selectorsIn(expr);
      expect(selectors).not.toEqual([]);
      for (const selector of selectors) await hasSeries(selector);
    },
  );

  it('the panel of used-up quotas shows the first refusal', async () => {
    const [, , expr = ''] = panels.find(([, title]) => title === 'Which quotas are used up?') ?? [];
    await hasSeries(`${asSent(expr)} > 0`);
  });

  it('it fires for a message that nobody can read and a used-up quota, and not for a service that restarted once', async () => {
    for (const name of ['CallMessagesUnreadable', 'QuotaUsedUp'])
      await hasSeries(`ALERTS{alertname="${name}",alertstate="firing"}`);
    const firing = await prometheus.query('ALERTS{alertstate="firing"}');
    const names = firing.map(({ metric }) => metric.alertname);
    expect(names).not.toContain('ProcessRestarts');
    expect(names).not.toContain('EventsMissed');
  });
});
