import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ALERTS_DIRECTORY = 'deploy/prometheus/alerts';
const TESTS_DIRECTORY = 'deploy/prometheus/tests';

export interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: Record<string, string>;
}

interface AlertTest {
  name: string;
  promql_expr_test: { expr: string; exp_samples?: unknown[] }[];
}

const documentsIn = <Document>(directory: string): Document[] =>
  readdirSync(directory).map((file) => parse(readFileSync(join(directory, file), 'utf8')));

export const ALERTS: Alert[] = documentsIn<{ groups: { rules: Alert[] }[] }>(ALERTS_DIRECTORY).flatMap(
  ({ groups }) => groups.flatMap(({ rules }) => rules),
);

/** Those of promtool. */
export const ALERT_TESTS: AlertTest[] = documentsIn<{ tests: AlertTest[] }>(TESTS_DIRECTORY).flatMap(
  ({ tests }) => tests,
);
