import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** A process, and when it began: a number alone may belong to another one by now. */
export interface ProcessIdentity {
  pid: number;
  since: string;
}

/** Says which process has this number now; null if none (or only a zombie) has. */
export function identify(pid: number): ProcessIdentity | null {
  const since = existsSync('/proc/self/stat') ? startedByProc(pid) : startedByPs(pid);
  return since === null ? null : { pid, since };
}

export function isRunning(process: ProcessIdentity): boolean {
  const running = identify(process.pid);
  return running !== null && running.since === process.since;
}

function startedByProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the program's name in parentheses, may hold anything; state, threads and start time are the 3rd, 20th and 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Ended, and not yet taken note of by its parent. As long as other threads of it are ending, it still holds its ports.
    const hasEnded = fields[0] === 'Z' && Number(fields[17]) <= 1;
    return hasEnded ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function startedByPs(pid: number): string | null {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}
