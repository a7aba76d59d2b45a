import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { WATCHED } from '../../scripts/admin/status/backlogs.ts';
import { systemPorts } from '../../scripts/start/processes/ports.ts';
import { tokensOf } from '../support/markdown.ts';
import { ALERT_TESTS, ALERTS } from './support/alerts.ts';
import { asOnPage, DASHBOARDS, exprsOf, questionsOf } from './support/dashboards.ts';
import { METRICS, metricsIn, QUESTIONS } from './support/metrics-page.ts';

interface ComposeService {
  image?: string;
  profiles?: string[];
  ports?: string[];
  volumes?: string[];
  environment?: Record<string, string | number>;
}
interface ScrapeConfig {
  job_name: string;
  dns_sd_configs: { names: string[]; type: string; port: number }[];
  static_configs: { targets: string[] }[];
}

const read = <Document>(path: string): Document => parse(readFileSync(path, 'utf8'), { merge: true });
const compose = read<{ services: Record<string, ComposeService> }>('docker-compose.yml').services;
const scrapes = (file: string) =>
  read<{ scrape_configs: ScrapeConfig[] }>(`deploy/prometheus/${file}`).scrape_configs;
const internalPorts = Object.entries(compose).flatMap(([name, { environment }]) =>
  environment?.INTERNAL_PORT ? [[name, environment.INTERNAL_PORT]] : [],
);

describe('the dashboards', () => {
  it('ask the questions of docs/metrics.md, by its queries', () => {
    const onPage = new Map(QUESTIONS.map(({ question, query }) => [question, query]));
    const panels = DASHBOARDS.flatMap(questionsOf);
    expect(panels.map((panel) => [panel.title, exprsOf(panel).map(asOnPage)])).toEqual(
      panels.map(({ title }) => [title, [onPage.get(title)]]),
    );
  });

  it('leave out no question', () => {
    const asked = new Set(DASHBOARDS.flatMap(questionsOf).map(({ title }) => title));
    expect(QUESTIONS.map(({ question }) => question).filter((question) => !asked.has(question))).toEqual([]);
  });

  it('give each panel an id of its own, a unit, and the source that is provisioned', () => {
    const { datasources } = read<{ datasources: { uid: string; type: string }[] }>(
      'deploy/grafana/provisioning/datasources/prometheus.yml',
    );
    const source = { type: datasources[0]?.type, uid: datasources[0]?.uid };
    for (const dashboard of DASHBOARDS) {
      expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
      for (const { title, datasource, targets, fieldConfig } of questionsOf(dashboard)) {
        expect({ title, datasource, targets, unit: fieldConfig?.defaults.unit }).toEqual({
          title,
          datasource: source,
          targets: [expect.objectContaining({ datasource: source })],
          unit: expect.stringMatching(/./),
        });
      }
    }
  });
});

describe('the alerts', () => {
  it('read no metric that docs/metrics.md does not list', () => {
    const read = ALERTS.flatMap(({ expr }) => metricsIn(expr));
    expect(read.filter((name) => !METRICS.has(name))).toEqual([]);
  });

  it.each(ALERTS.map((alert) => [alert.alert, alert] as const))(
    '%s says what users notice, where to look and what to do, and where to read on',
    (_name, { annotations, labels }) => {
      const texts = ['summary', 'users_notice', 'where_to_look', 'what_to_do', 'runbook_url'];
      expect(Object.keys(annotations)).toEqual(texts);
      expect(Object.values(annotations).filter((text) => text.trim() === '')).toEqual([]);
      expect(['page', 'ticket']).toContain(labels.severity);
      const [file = '', anchor = ''] = annotations.runbook_url?.split('#') ?? [];
      expect(anchorsOf(file)).toContain(anchor);
      const dashboards = annotations.where_to_look?.matchAll(/Dashboard ([^:,]+?)(?:,? and |[:,])/g) ?? [];
      const titles = DASHBOARDS.map(({ title }) => title);
      for (const [, title = ''] of dashboards)
        expect(titles.some((known) => known.startsWith(title))).toBe(true);
    },
  );

  it('fire from the numbers on at which `admin status` needs somebody', () => {
    const fireAt = (metric: string) =>
      ALERTS.filter(({ expr }) => metricsIn(expr).includes(metric)).map(({ expr }) =>
        Number(/> (\d+)$/.exec(expr)?.[1]),
      );
    const watched = WATCHED.filter(({ metric }) => fireAt(metric).length > 0);
    expect(watched).toHaveLength(9);
    expect(watched.map(({ metric }) => [metric, fireAt(metric)])).toEqual(
      watched.map(({ metric, allowed }) => [metric, [allowed]]),
    );
  });

  it('each have a test that sees them silent and firing', () => {
    const seen = ALERTS.map(({ alert }) => {
      const tests = ALERT_TESTS.filter(({ name }) => name === alert).flatMap(
        ({ promql_expr_test }) => promql_expr_test,
      );
      const fires = tests.filter(({ exp_samples = [] }) => exp_samples.length > 0).length;
      return { alert, isSeenFiring: fires > 0, isSeenSilent: tests.length > fires };
    });
    expect(seen).toEqual(ALERTS.map(({ alert }) => ({ alert, isSeenFiring: true, isSeenSilent: true })));
  });
});

describe('Prometheus', () => {
  it('finds all processes of each service of docker-compose.yml by its name, at its internal port', () => {
    expect(internalPorts).toHaveLength(6);
    const found = scrapes('prometheus.yml').map(({ job_name, dns_sd_configs: [dns] }) => {
      expect(dns).toMatchObject({ names: [job_name], type: 'A' });
      return [job_name, dns?.port];
    });
    expect(found).toEqual(internalPorts);
  });

  it('finds each service that npm start runs, at its internal port', () => {
    const ports = systemPorts(4_000);
    expect(scrapes('npm-start.yml').map(({ static_configs: [config] }) => config?.targets)).toEqual([
      [`127.0.0.1:${ports.gatewayInternal}`],
      [`127.0.0.1:${ports.schedulingInternal}`],
      [`127.0.0.1:${ports.crmInternal}`],
      [`127.0.0.1:${ports.callsInternal}`],
      [`127.0.0.1:${ports.webhooksInternal}`],
      [`127.0.0.1:${ports.settingsUiInternal}`],
    ]);
  });
});

it('docker-compose.yml passes the collector’s address and headers to every service', () => {
  const services = Object.values(compose).filter(({ environment }) => environment?.INTERNAL_PORT);
  expect(services).toHaveLength(6);
  for (const { environment = {} } of services)
    for (const name of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_HEADERS'])
      expect([name, environment[name]]).toEqual([name, `\${${name}:-}`]);
});

it('the profile observability of docker-compose.yml is reached from this machine alone, without a password', () => {
  const services = Object.values(compose).filter(({ profiles }) => profiles?.includes('observability'));
  expect(services).toHaveLength(2);
  for (const { image, ports = [], volumes = [], environment = {} } of services) {
    expect(image).toMatch(/:v?\d+\.\d+\.\d+$/);
    expect(ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
    expect(Object.keys(environment).filter((name) => /PASSWORD|SECRET/.test(name))).toEqual([]);
    for (const [source = ''] of volumes.map((volume) => volume.split(':')))
      if (source.startsWith('.')) expect(existsSync(join('.', source))).toBe(true);
  }
  expect(compose.grafana?.environment).toMatchObject({
    GF_AUTH_ANONYMOUS_ORG_ROLE: 'Viewer',
    GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION: 'true',
  });
});

/** As GitHub makes them of a page's headings. */
function anchorsOf(file: string): string[] {
  const headings = tokensOf(file).flatMap((token) => (token.type === 'heading' ? [String(token.text)] : []));
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
