import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const DIRECTORY = 'deploy/grafana/dashboards';

interface Datasource {
  type: string;
  uid: string;
}

export interface Panel {
  id: number;
  type: string;
  title: string;
  datasource?: Datasource;
  targets?: { expr: string; datasource: Datasource }[];
  fieldConfig?: { defaults: { unit?: string } };
}

export interface Dashboard {
  uid: string;
  title: string;
  panels: Panel[];
  templating: { list: { name: string; query: { query: string } }[] };
}

export const DASHBOARDS: Dashboard[] = readdirSync(DIRECTORY).map((file) =>
  JSON.parse(readFileSync(join(DIRECTORY, file), 'utf8')),
);

/** Panels that ask; rows of panels don't. */
export const questionsOf = ({ panels }: Dashboard): Panel[] => panels.filter(({ type }) => type !== 'row');

export const exprsOf = ({ targets = [] }: Panel): string[] => targets.map(({ expr }) => expr);

/** A panel's expression without its choice of service and process, over five minutes: as docs/metrics.md has it. */
export const asOnPage = (expr: string): string =>
  expr
    .replaceAll(/(?:job|instance)=~"\$(?:job|instance)",?/g, '')
    .replaceAll(/,?\}/g, '}')
    .replaceAll('{}', '')
    .replaceAll('$__rate_interval', '5m');

/** As Grafana sends it where everything is chosen. */
export const asSent = (expr: string): string =>
  expr.replaceAll(/\$(?:job|instance)\b/g, '.*').replaceAll('$__rate_interval', '1m');
