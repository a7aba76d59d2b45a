import { parentPort } from 'node:worker_threads';
import { patchToJson } from '../providers/call-patch.rules.ts';
import { readRawMessage } from './read-raw-message.rules.ts';
import type { ReadingAnswer, ReadingRequest } from './reading-thread.ts';

/** The code of the reading thread: it reads one message at a time. */
parentPort?.on('message', ({ id, provider, message }: ReadingRequest) => {
  // A Buffer arrives as a plain Uint8Array.
  const read = readRawMessage(provider, { ...message, body: Buffer.from(message.body) });
  const answer = read.kind === 'call' ? { ...read, patch: patchToJson(read.patch) } : read;
  parentPort?.postMessage({ id, answer } satisfies ReadingAnswer);
});
