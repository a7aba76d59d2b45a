import { parentPort } from 'node:worker_threads';
import { patchToJson } from '../domain/call-patch.ts';
import { readRawMessage } from '../domain/read-raw-message.ts';
import type { ReadingAnswer, ReadingRequest } from './reading-thread.ts';

/** What runs in the thread: one message after the other. */
parentPort?.on('message', ({ id, provider, message }: ReadingRequest) => {
  // Buffers arrive as plain arrays of bytes.
  const read = readRawMessage(provider, { ...message, body: Buffer.from(message.body) });
  const answer = read.kind === 'call' ? { ...read, patch: patchToJson(read.patch) } : read;
  parentPort?.postMessage({ id, answer } satisfies ReadingAnswer);
});
