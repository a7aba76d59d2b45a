import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isRunning, type ProcessIdentity } from './process-identity.ts';

interface RecordedProcess extends ProcessIdentity {
  name: string;
  stopSignal: NodeJS.Signals;
}

interface ClaimFile {
  owner: ProcessIdentity;
  processes: RecordedProcess[];
}

export interface Claim {
  record: (process: { name: string; pid: number; stopSignal: NodeJS.Signals }) => void;
  release: () => void;
}

const LEFTOVER_STOPS_WITHIN_MS = 10_000;
const KILLED_ENDS_WITHIN_MS = 60_000;

/**
 * Makes this process the only one that runs engines in the directory, and ends engines that a killed owner left behind.
 * Throws when another owner is alive.
 */
export async function claimDirectory(directory: string, progress: (line: string) => void): Promise<Claim> {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'engines.json');
  const earlier = readClaim(file);
  if (earlier.owner && isRunning(earlier.owner)) {
    throw new Error(`Process ${earlier.owner.pid} already runs engines in ${directory}. Stop it first.`);
  }
  for (const leftover of earlier.processes ?? []) await endLeftover(leftover, progress);

  const owner = identify(process.pid);
  if (!owner) throw new Error(`Process ${process.pid} can't be found in the system's list of processes.`);
  const claim: ClaimFile = { owner, processes: [] };
  const save = () => {
    writeFileSync(`${file}.new`, JSON.stringify(claim));
    renameSync(`${file}.new`, file);
  };
  save();
  return {
    record({ name, pid, stopSignal }) {
      const identity = identify(pid);
      if (!identity) return;
      const others = claim.processes.filter((process) => process.name !== name);
      claim.processes = [...others, { name, stopSignal, ...identity }];
      save();
    },
    release: () => rmSync(file, { force: true }),
  };
}

/** A file that was damaged names nobody. */
function readClaim(file: string): Partial<ClaimFile> {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as Partial<ClaimFile> | null) ?? {};
  } catch {
    return {};
  }
}

async function endLeftover(leftover: RecordedProcess, progress: (line: string) => void): Promise<void> {
  if (!isRunning(leftover)) return;
  progress(`Stopping the ${leftover.name} that an earlier run left behind …`);
  kill(leftover.pid, leftover.stopSignal);
  if (await endsWithin(leftover, LEFTOVER_STOPS_WITHIN_MS)) return;
  kill(leftover.pid, 'SIGKILL');
  if (await endsWithin(leftover, KILLED_ENDS_WITHIN_MS)) return;
  throw new Error(`${leftover.name} of an earlier run, process ${leftover.pid}, can't be stopped.`);
}

async function endsWithin(leftover: RecordedProcess, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isRunning(leftover)) {
    if (Date.now() > deadline) return false;
    await sleep(50);
  }
  return true;
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself.
  }
}
