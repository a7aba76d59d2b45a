import { readdirSync, readFileSync } from 'node:fs';

/** The unit of /proc/<pid>/stat, whatever the kernel's own. */
const TICKS_PER_SECOND = 100;

interface Stat {
  parent: number;
  /** Of the process, all its threads, and all of its children that have ended. */
  ticks: number;
}

function statOf(pid: number): Stat | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the program's name in parentheses, may hold anything; the parent is the 4th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    return null;
  }
}

/** CPU seconds so far, user and system, of a process and all that it has started, PostgreSQL's backends say. Linux only. */
export function cpuSecondsOfTree(root: number): number {
  const ticks = treeOf(root).reduce((sum, [, stat]) => sum + stat.ticks, 0);
  return ticks / TICKS_PER_SECOND;
}

/** A process and all that it has started and that still runs. */
export const pidsOfTree = (root: number): number[] => treeOf(root).map(([pid]) => pid);

function treeOf(root: number): [pid: number, stat: Stat][] {
  const stats = new Map<number, Stat>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null;
    if (stat) stats.set(Number(name), stat);
  }
  if (!stats.has(root)) throw new Error(`Process ${root} is gone.`);
  const isInTree = (pid: number): boolean =>
    pid === root || (stats.has(pid) && isInTree(stats.get(pid)?.parent ?? 0));
  return [...stats].filter(([pid]) => isInTree(pid));
}
