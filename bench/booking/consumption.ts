import { readdirSync, readFileSync } from 'node:fs';
import { cpuSecondsOfTree, pidsOfTree } from '../support/process-cpu.ts';

/** What processes have used, by name. */
export interface Consumption {
  cpuSeconds: Record<string, number>;
  /** How often their threads have waited and were woken, those of PostgreSQL's backends too. */
  wakeUps: Record<string, number>;
}

/** So far. */
export function consumptionOf(pids: ReadonlyMap<string, number>): Consumption {
  const each = (read: (pid: number) => number) =>
    Object.fromEntries([...pids].map(([name, pid]) => [name, read(pid)]));
  return { cpuSeconds: each(cpuSecondsOfTree), wakeUps: each(wakeUpsOf) };
}

/** After `before`, for each of so many requests. */
export function consumedSince(
  before: Consumption,
  pids: ReadonlyMap<string, number>,
  requests: number,
): Consumption {
  const after = consumptionOf(pids);
  const each = (of: keyof Consumption) =>
    Object.fromEntries(
      Object.entries(after[of]).map(([name, value]) => [name, (value - (before[of][name] ?? 0)) / requests]),
    );
  return { cpuSeconds: each('cpuSeconds'), wakeUps: each('wakeUps') };
}

export const sumOf = (values: Record<string, number>): number =>
  Object.values(values).reduce((sum, value) => sum + value, 0);

function wakeUpsOf(root: number): number {
  const tasks = pidsOfTree(root).flatMap(
    (pid) => unlessEnded(() => readdirSync(`/proc/${pid}/task`).map((task) => `${pid}/task/${task}`)) ?? [],
  );
  return tasks.reduce((sum, task) => {
    const status = unlessEnded(() => readFileSync(`/proc/${task}/status`, 'utf8')) ?? '';
    return sum + Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  }, 0);
}

function unlessEnded<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
