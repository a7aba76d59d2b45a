import { hash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

const WORKER = join(import.meta.dirname, 'console-script.entry.ts');
const MADE_WITHIN_MS = 30_000;
const ETAG_CHARACTERS = 12;

export interface ConsoleScript {
  /** By gzip. */
  compressed: Buffer;
  etag: string;
}

/**
 * The console's script (Scalar's, 4.9 MB). A thread of its own makes it for the first request; then only the compressed
 * form stays in memory.
 */
export function createConsoleScript(): () => Promise<ConsoleScript> {
  let made: Promise<ConsoleScript> | null = null;
  return () => {
    made ??= makeScript().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}

async function makeScript(): Promise<ConsoleScript> {
  const worker = new Worker(WORKER, { execArgv: [] });
  try {
    const [bytes] = await once(worker, 'message', { signal: AbortSignal.timeout(MADE_WITHIN_MS) });
    const compressed = Buffer.from((bytes as Uint8Array).buffer);
    return { compressed, etag: `W/"${hash('sha256', compressed, 'hex').slice(0, ETAG_CHARACTERS)}"` };
  } finally {
    await worker.terminate();
  }
}
