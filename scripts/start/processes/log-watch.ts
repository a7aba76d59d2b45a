import { basename } from 'node:path';
import { readFrom, sizeOf } from './log-files.ts';

const INTERVAL_MS = 1_000;
const MAX_BYTES_PER_LOOK = 1024 * 1024;
const MAX_LINE = 160;
const ERROR_LEVEL = 50;
/** A fault that repeats is shown once in this time. */
const QUIET_MS = 30_000;

/** Watches the services' logs (JSON lines) and hands on what is an error, one short line each. */
export function watchLogs(paths: readonly string[], onError: (line: string) => void): { stop(): void } {
  const positions = new Map(paths.map((path) => [path, sizeOf(path)]));
  const shown = new Map<string, number>();

  const look = () => {
    for (const path of paths) {
      const from = positions.get(path) ?? 0;
      const size = sizeOf(path);
      if (size === from) continue;
      const begin = size > from ? Math.max(from, size - MAX_BYTES_PER_LOOK) : 0;
      const text = readFrom(path, begin);
      const complete = text.slice(0, text.lastIndexOf('\n') + 1);
      positions.set(path, begin + Buffer.byteLength(complete));
      for (const message of new Set(errorsIn(complete))) {
        const line = `${basename(path, '.log')}: ${message}`.slice(0, MAX_LINE);
        if (Date.now() - (shown.get(line) ?? 0) < QUIET_MS) continue;
        shown.set(line, Date.now());
        onError(line);
      }
    }
  };
  const timer = setInterval(look, INTERVAL_MS);
  return {
    stop() {
      clearInterval(timer);
      look();
    },
  };
}

/** The messages of level error and above. What is no JSON line is a stack trace or a warning of the runtime: left to the file. */
export function errorsIn(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    const entry = parse(line);
    if (!entry || typeof entry.level !== 'number' || entry.level < ERROR_LEVEL) return [];
    const cause = entry.err?.message;
    return [
      [entry.msg, cause].filter((part, index, parts) => part && parts.indexOf(part) === index).join(': '),
    ];
  });
}

/** What a process said last before it ended: its last error, else its last line. */
export function lastFault(text: string): string | undefined {
  return errorsIn(text).at(-1) ?? text.trim().split('\n').at(-1)?.slice(0, MAX_LINE);
}

function parse(line: string): { level?: unknown; msg?: string; err?: { message?: string } } | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
