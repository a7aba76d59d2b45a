import { parentPort } from 'node:worker_threads';
import type { JudgeRequest } from './password-judge.ts';
import { estimatePassword } from './zxcvbn.rules.ts';

/** The code of the thread that judges passwords. */
parentPort?.on('message', ({ password, names }: JudgeRequest) => {
  parentPort?.postMessage(estimatePassword(password, names));
});
