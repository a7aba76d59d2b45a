import { type Logger, loop, type Part } from '@frontdesk/service';
import type { EndpointHealth, FailedEndpoint, Told } from '../data/health.repository.ts';
import type { AttemptResult } from '../data/queue.repository.ts';

/** A success is news of an endpoint that was failing, and now and then of any other. */
const SUCCESS_NEWS_MS = 60_000;
const MAX_REMEMBERED = 20_000;
const RETRY_MS = 1_000;

export interface HealthWriter extends Part {
  /** Notes what these results say of their endpoints, to be written soon. */
  note(results: readonly AttemptResult[]): void;
  start(): Promise<void>;
  /** Writes what is left. */
  stop(): Promise<void>;
}

/**
 * Writes how endpoints fare, beside the results: whoever holds one endpoint's row holds up nobody's results. What can't
 * be written is added to what comes next.
 */
export function createHealthWriter(options: {
  health: EndpointHealth;
  logger: Logger;
  /** The failures among what was noted are known to the queue. */
  onFailuresWritten: (failures: readonly AttemptResult[]) => void;
}): HealthWriter {
  const { health, logger, onFailuresWritten } = options;
  let failures: AttemptResult[] = [];
  const toDisable: FailedEndpoint[] = [];
  /** `<endpoint>:<version>` → what is still to be written. */
  let unwritten = new Map<string, Told>();
  /** Endpoint id → when, on the process's own clock, a success was last news of it; not in here once it fails. */
  const healthySince = new Map<number, number>();

  const isNews = ({ endpointId, failures }: Told, wasFailing: boolean) =>
    failures > 0 ||
    wasFailing ||
    (healthySince.get(endpointId) ?? Number.NEGATIVE_INFINITY) < performance.now() - SUCCESS_NEWS_MS;

  const add = (told: Told) => {
    const key = `${told.endpointId}:${told.version}`;
    const before = unwritten.get(key);
    unwritten.set(key, before ? both(before, told) : told);
  };

  const record = async () => {
    const told = [...unwritten.values()];
    const failed = failures;
    unwritten = new Map();
    failures = [];
    try {
      toDisable.push(...(await health.record(told)));
    } catch (error) {
      const later = [...unwritten.values()];
      unwritten = new Map();
      for (const one of [...told, ...later]) add(one);
      failures = [...failed, ...failures];
      throw error;
    }
    return failed;
  };
  /** Another time, where it fails: what has been recorded stays so. */
  const disable = async (endpoint: FailedEndpoint) => {
    try {
      await health.disable(endpoint);
    } catch (error) {
      toDisable.push(endpoint);
      logger.error({ err: error, endpoint: endpoint.id }, 'an endpoint was not disabled, trying on');
    }
  };
  const write = async () => {
    const failed = unwritten.size > 0 ? await record() : [];
    const disabling = toDisable.splice(0);
    // One after the other, each with its event in a transaction of its tenant: it is the last thing that happens to them.
    for (const endpoint of disabling) await disable(endpoint);
    if (failed.length > 0) onFailuresWritten(failed);
    return unwritten.size > 0;
  };
  const worker = loop({
    name: 'endpoint health',
    intervalMs: RETRY_MS,
    maxBackoffMs: RETRY_MS,
    logger,
    run: write,
  });

  return {
    name: worker.name,
    start: () => worker.start(),
    async stop() {
      await worker.stop();
      await write();
    },
    note(results) {
      failures.push(...results.filter(({ outcome }) => outcome.errorClass !== null));
      for (const own of Map.groupBy(results, keyOf).values()) {
        const told = summary(own);
        const wasFailing = own.some(({ claim }) => claim.consecutive_failures > 0);
        if (!isNews(told, wasFailing)) continue;
        add(told);
        if (told.failures > 0) healthySince.delete(told.endpointId);
        else healthySince.set(told.endpointId, performance.now());
      }
      if (healthySince.size > MAX_REMEMBERED) healthySince.clear();
      if (unwritten.size > 0) worker.wake();
    },
  };
}

const keyOf = ({ claim }: AttemptResult) => `${claim.endpoint_id}:${claim.endpoint_version}`;

function summary(results: readonly AttemptResult[]): Told {
  const [{ claim }] = results as [AttemptResult];
  const failed = results.filter(({ outcome }) => outcome.errorClass !== null);
  const last = failed.at(-1)?.outcome;
  return {
    tenantId: claim.tenant_id,
    endpointId: claim.endpoint_id,
    version: claim.endpoint_version,
    successes: results.length - failed.length,
    failures: failed.length,
    failuresOnEnd: results.length - 1 - results.findLastIndex(({ outcome }) => outcome.errorClass === null),
    lastFailure: last ? (last.httpStatus === null ? last.errorClass : `HTTP ${last.httpStatus}`) : null,
    isGone: results.some(({ verdict }) => verdict.disablesEndpoint),
  };
}

/** As if told at once. */
function both(before: Told, after: Told): Told {
  return {
    ...after,
    successes: before.successes + after.successes,
    failures: before.failures + after.failures,
    failuresOnEnd: after.failuresOnEnd + (after.successes > 0 ? 0 : before.failuresOnEnd),
    lastFailure: after.lastFailure ?? before.lastFailure,
    isGone: before.isGone || after.isGone,
  };
}
