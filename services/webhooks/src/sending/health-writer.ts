import type { Logger } from '@frontdesk/service';
import type { FailedEndpoint, HealthReport } from '../endpoints/health.repository.ts';
import type { AttemptResult } from '../queue/queue.repository.ts';
import { createBatchWriter } from './batch-writer.ts';

/** A success is news of an endpoint that was failing, and now and then of any other. */
const SUCCESS_NEWS_MS = 60_000;
const MAX_REMEMBERED = 20_000;
const BATCH_ENDPOINTS = 1_000;

/** What some results say about one endpoint, with those that failed. */
interface News {
  report: HealthReport;
  failures: AttemptResult[];
}

/** Writes the health of endpoints beside the results, so that a lock on one endpoint's row delays no results. */
export function createHealthWriter(options: {
  /** @returns the endpoints that are to be disabled */
  record: (reports: readonly HealthReport[]) => Promise<FailedEndpoint[]>;
  disable: (endpoint: FailedEndpoint) => Promise<void>;
  logger: Logger;
  /** The failures among what was noted are known to the queue. */
  onFailuresWritten: (failures: readonly AttemptResult[]) => void;
}) {
  const { record, disable, logger, onFailuresWritten } = options;
  /** Endpoint id → when, on the process's own clock, a success was last news of it; not in here once it fails. */
  const healthySince = new Map<number, number>();

  const isNews = ({ endpointId, failures }: HealthReport, wasFailing: boolean) =>
    failures > 0 ||
    wasFailing ||
    (healthySince.get(endpointId) ?? Number.NEGATIVE_INFINITY) < performance.now() - SUCCESS_NEWS_MS;

  /** Each with its event in a transaction of its tenant. One that fails keeps no others; those that are disabled already stay so. */
  const disableAll = async (endpoints: readonly FailedEndpoint[]) => {
    const faults: unknown[] = [];
    for (const endpoint of endpoints) await disable(endpoint).catch((error: unknown) => faults.push(error));
    if (faults.length > 0) throw faults[0];
  };
  const disabling = createBatchWriter<FailedEndpoint>({
    name: 'disabled endpoints',
    maxItems: BATCH_ENDPOINTS,
    gatherMs: 0,
    merge: (endpoints) => [...new Map(endpoints.map((one) => [`${one.id}:${one.version}`, one])).values()],
    write: disableAll,
    onRefused: () => {},
    logger,
  });
  const writer = createBatchWriter<News>({
    name: 'endpoint health',
    maxItems: BATCH_ENDPOINTS,
    gatherMs: 0,
    merge: merged,
    async write(news) {
      const ended = await record(news.map(({ report }) => report));
      // It is the last thing that happens to them, so before anything more is claimed for them.
      await disableAll(ended).catch(() => disabling.add(ended));
      onFailuresWritten(news.flatMap(({ failures }) => failures));
    },
    onRefused: ({ failures }) => onFailuresWritten(failures),
    logger,
  });

  return {
    async start() {
      await disabling.start();
      await writer.start();
    },
    async stop() {
      await writer.stop();
      await disabling.stop();
    },
    /** Notes what these results say about their endpoints, to be written soon. */
    note(results: readonly AttemptResult[]) {
      for (const own of Map.groupBy(results, keyOf).values()) {
        const failures = own.filter(({ outcome }) => outcome.errorClass !== null);
        const report = summary(own, failures);
        const wasFailing = own.some(({ claim }) => claim.consecutive_failures > 0);
        if (!isNews(report, wasFailing)) continue;
        writer.add([{ report, failures }]);
        if (report.failures > 0) healthySince.delete(report.endpointId);
        else healthySince.set(report.endpointId, performance.now());
      }
      if (healthySince.size > MAX_REMEMBERED) healthySince.clear();
    },
  };
}

const keyOf = ({ claim }: AttemptResult) => `${claim.endpoint_id}:${claim.endpoint_version}`;

function summary(results: readonly AttemptResult[], failures: readonly AttemptResult[]): HealthReport {
  const [{ claim }] = results as [AttemptResult];
  const last = failures.at(-1)?.outcome;
  return {
    tenantId: claim.tenant_id,
    endpointId: claim.endpoint_id,
    version: claim.endpoint_version,
    successes: results.length - failures.length,
    failures: failures.length,
    failuresOnEnd: results.length - 1 - results.findLastIndex(({ outcome }) => outcome.errorClass === null),
    lastFailure: last ? (last.httpStatus === null ? last.errorClass : `HTTP ${last.httpStatus}`) : null,
    isGone: results.some(({ verdict }) => verdict.disablesEndpoint),
  };
}

/** One piece of news of each version of an endpoint. */
function merged(news: readonly News[]): News[] {
  const same = Map.groupBy(news, ({ report: { endpointId, version } }) => `${endpointId}:${version}`);
  return [...same.values()].map((own) => ({
    report: own.map(({ report }) => report).reduce(both),
    failures: own.flatMap(({ failures }) => failures),
  }));
}

/** Two reports as one. */
function both(before: HealthReport, after: HealthReport): HealthReport {
  return {
    ...after,
    successes: before.successes + after.successes,
    failures: before.failures + after.failures,
    failuresOnEnd: after.failuresOnEnd + (after.successes > 0 ? 0 : before.failuresOnEnd),
    lastFailure: after.lastFailure ?? before.lastFailure,
    isGone: before.isGone || after.isGone,
  };
}
