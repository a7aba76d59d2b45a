import { readFileSync } from 'node:fs';

const PAGE = 'docs/metrics.md';
const NAME = /\b[a-z]+(?:_[a-z0-9]+)+\b/g;
/** What Prometheus adds by itself. */
const OF_PROMETHEUS = new Set(['up', 'ALERTS']);
const FUNCTIONS = new Set(['histogram_quantile']);

export interface Question {
  /** As far as its question mark. */
  question: string;
  /** Named beside it. */
  metrics: string[];
  query: string;
}

/** The rows of the page's tables that have a query. */
export const QUESTIONS: Question[] = readFileSync(PAGE, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('`'))
  .map((line) => {
    const [, question = '', metrics = '', query = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return {
      question: question.replace(/\?.*$/, '?'),
      metrics: [...metrics.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
      query: query.replaceAll(/^`|`$/g, '').replaceAll(String.raw`\|`, '|'),
    };
  })
  .filter(({ query }) => query !== '');

/** Every metric that a service reports, as the page says. */
export const METRICS: ReadonlySet<string> = new Set(
  QUESTIONS.flatMap(({ metrics }) => metrics).filter((name) => !OF_PROMETHEUS.has(name)),
);

/** The metrics that an expression reads; of a histogram's series, the histogram. */
export function metricsIn(expr: string): string[] {
  const names = expr.replaceAll(/"[^"]*"/g, '').match(NAME) ?? [];
  return [...new Set(names.map(metricOf))].filter((name) => !FUNCTIONS.has(name));
}

/** What an expression selects, with its labels. */
export function selectorsIn(expr: string): string[] {
  const selectors = expr.matchAll(/\b(\w+)(\{(?:[^}"]|"[^"]*")*\})?/g);
  const isMetric = (name: string) => METRICS.has(metricOf(name)) || OF_PROMETHEUS.has(name);
  return [...new Set([...selectors].filter(([, name = '']) => isMetric(name)).map(([whole]) => whole))];
}

const metricOf = (series: string) => series.replace(/_(?:bucket|count|sum)$/, '');
