import type { ServiceProcess } from '../../tests/support/service-process.ts';
import type { BenchEnvironment } from '../support/environment.ts';
import { cpuSecondsOfTree } from '../support/process-cpu.ts';

/** CPU seconds by what used them: the service, PostgreSQL with all its backends, Kafka, Redis. */
export type Usage = Record<string, number>;

export const sumOf = (usage: Usage): number =>
  Object.values(usage).reduce((sum, seconds) => sum + seconds, 0);

/** Begins to count. @returns what has been used since then, divided by this many deliveries */
export function countUsage(
  environment: BenchEnvironment,
  service: ServiceProcess,
): (deliveries: number) => Usage {
  const processes = [...new Map([['service', service.pid], ...environment.enginePids()])];
  if (processes.length < 4) throw new Error('It takes engines of its own: unset DATABASE_URL and its like.');
  const before = processes.map(([, pid]) => cpuSecondsOfTree(pid));
  return (deliveries) =>
    Object.fromEntries(
      processes.map(([name, pid], n) => [name, (cpuSecondsOfTree(pid) - (before[n] ?? 0)) / deliveries]),
    );
}
