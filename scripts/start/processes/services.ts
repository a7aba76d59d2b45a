import { join } from 'node:path';
import { REPOSITORY } from '../../repository.ts';
import { readFrom, sizeOf } from './log-files.ts';
import { lastFault } from './log-watch.ts';
import { untilReady } from './readiness.ts';
import type { ServiceProcess } from './service-catalog.ts';
import { type SupervisedService, superviseService } from './supervisor.ts';

/** One whose process ends is noticed at once; a slow machine may take its time. */
const READY_TIMEOUT_MS = 180_000;

export type RunningService = Pick<SupervisedService, 'pid' | 'kill'> & { name: string; logFile: string };

/**
 * Starts every service of the catalogue and waits until all are ready. Each one's stop is handed to `started`, which
 * runs them in reverse. @throws Error when one ends or isn't ready in time.
 */
export async function startServices(options: {
  catalog: readonly ServiceProcess[];
  logsDirectory: string;
  onNotice(line: string): void;
  onReady(name: string): void;
  started: AsyncDisposableStack;
  signal: AbortSignal;
  hasten: AbortSignal;
}): Promise<RunningService[]> {
  const { catalog, logsDirectory, started, signal, hasten } = options;
  const failed = new AbortController();
  const isUp = new AbortController();

  const services = catalog.map(({ name, entry, env }) => {
    const logFile = join(logsDirectory, `${name}.log`);
    const logBegin = sizeOf(logFile);
    const service = superviseService({
      name,
      entry,
      env,
      cwd: REPOSITORY,
      logFile,
      onNotice: (line) => {
        if (isUp.signal.aborted) options.onNotice(line);
      },
      signal,
      hasten,
    });
    started.defer(service.stop);
    void service.firstExit.then((ended) => {
      const cause = lastFault(readFrom(logFile, logBegin)) || 'no message';
      failed.abort(new Error(`${name} did not start (${ended}): ${cause}\nIts log: ${logFile}`));
    });
    return { name, pid: service.pid, kill: service.kill, logFile };
  });

  await Promise.all(
    catalog.map(async ({ name, internalUrl }) => {
      const givenUp = AbortSignal.any([signal, failed.signal]);
      await untilReady({ name, internalUrl, timeoutMs: READY_TIMEOUT_MS, signal: givenUp });
      options.onReady(name);
    }),
  );
  isUp.abort();
  return services;
}
