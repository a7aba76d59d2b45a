import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

const WORKER = join(import.meta.dirname, 'console-script.worker.ts');
const MADE_WITHIN_MS = 30_000;

/**
 * The console's script (Scalar's, 4.9 MB), compressed by gzip. It is made when it is first asked for, by a thread of its own; then
 * only the compressed form stays in memory.
 */
export function createConsoleScript(): () => Promise<Buffer> {
  let made: Promise<Buffer> | null = null;
  return () => {
    made ??= makeScript().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}

async function makeScript(): Promise<Buffer> {
  const worker = new Worker(WORKER, { execArgv: [] });
  try {
    const [compressed] = await once(worker, 'message', { signal: AbortSignal.timeout(MADE_WITHIN_MS) });
    return Buffer.from((compressed as Uint8Array).buffer);
  } finally {
    await worker.terminate();
  }
}
