import { parentPort } from 'node:worker_threads';
import { readRawMessage } from '../domain/read-raw-message.ts';
import type { ReadingAnswer, ReadingRequest } from './reading-thread.ts';

/** What runs in the thread: one message after the other. */
parentPort?.on('message', ({ id, provider, message }: ReadingRequest) => {
  // Buffers arrive as plain arrays of bytes.
  const read = readRawMessage(provider, { ...message, body: Buffer.from(message.body) });
  parentPort?.postMessage({ id, read } satisfies ReadingAnswer);
});
