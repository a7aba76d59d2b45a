import { Worker } from 'node:worker_threads';
import type { CallProviderName } from '@frontdesk/contracts';
import { patchFromJson, type StoredPatch } from '../providers/call-patch.rules.ts';
import type { RawMessage } from '../providers/call-provider.rules.ts';
import { type ReadMessage, readRawMessage } from './read-raw-message.rules.ts';

/** Smaller messages are read on the main thread, within a few milliseconds; the largest message takes a second. */
const IN_PLACE_BYTES = 4 * 1_024;
/** A safety net: far longer than any message takes. */
const READ_WITHIN_MS = 30_000;
/** An idle thread ends after this time, and with it some 20 MB of memory are free. */
const IDLE_MS = 60_000;
/** Several times the heap that 5 MiB of the smallest values take. */
const MAX_HEAP_MB = 512;
const ENTRY = new URL('./reading-thread.entry.ts', import.meta.url);

export interface ReadingRequest {
  id: number;
  provider: CallProviderName;
  message: RawMessage;
}

export interface ReadingAnswer {
  id: number;
  /** The patch is in its stored form, which has no dates. */
  answer:
    | Exclude<ReadMessage, { kind: 'call' }>
    | (Omit<Extract<ReadMessage, { kind: 'call' }>, 'patch'> & { patch: StoredPatch });
}

const readMessageOf = (answer: ReadingAnswer['answer']): ReadMessage =>
  answer.kind === 'call' ? { ...answer, patch: patchFromJson(answer.patch) } : answer;

/** Reads messages of calls. Large ones are read in a worker thread, so that requests don't wait for them. */
export function createReadingThread() {
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  const pending = new Map<number, PromiseWithResolvers<ReadingAnswer['answer']>>();

  const start = (): Worker => {
    const started = new Worker(ENTRY, {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    started.on('message', ({ id, answer }: ReadingAnswer) => pending.get(id)?.resolve(answer));
    const ended = (error: Error) => {
      if (thread === started) leave(error);
    };
    started.on('error', ended);
    started.on('exit', () => ended(new Error('The reading thread has ended.')));
    return started;
  };

  /** What comes from now on is for another thread: this one may take a while to end. */
  const leave = (error: Error) => {
    const left = thread;
    thread = undefined;
    for (const one of pending.values()) one.reject(error);
    return left;
  };

  const stop = async () => {
    clearTimeout(idle);
    await leave(new Error('The reading thread has ended.'))?.terminate();
  };

  const readInThread = async (provider: CallProviderName, message: RawMessage): Promise<ReadMessage> => {
    clearTimeout(idle);
    lastId += 1;
    const id = lastId;
    const answer = Promise.withResolvers<ReadingAnswer['answer']>();
    pending.set(id, answer);
    const overdue = setTimeout(() => void stop(), READ_WITHIN_MS);
    try {
      thread ??= start();
      thread.postMessage({ id, provider, message } satisfies ReadingRequest);
      return readMessageOf(await answer.promise);
    } finally {
      clearTimeout(overdue);
      pending.delete(id);
      if (pending.size === 0) idle = setTimeout(() => void stop(), IDLE_MS).unref();
    }
  };

  return {
    /** @throws Error when the thread has ended meanwhile */
    async read(provider: CallProviderName, message: RawMessage): Promise<ReadMessage> {
      if (message.body.length <= IN_PLACE_BYTES) return readRawMessage(provider, message);
      return readInThread(provider, message);
    },
    stop,
  };
}
