import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessMemory {
  residentMb: number;
  /** The most it has ever been. */
  peakMb: number;
  /** Sockets and files. */
  open: number;
}

/** As the kernel counts them, in MB of 2^20 bytes. Linux only. */
export function memoryOf(pid: number): ProcessMemory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mb = (field: string) =>
    Math.round(Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024);
  return { residentMb: mb('VmRSS'), peakMb: mb('VmHWM'), open: readdirSync(`/proc/${pid}/fd`).length };
}
