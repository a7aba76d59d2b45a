import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface BrowserSystem {
  /** Answers with the one system and browser of this run, once they are up. */
  url: string;
  /** Stops them, if anybody has asked. */
  stop(): Promise<void>;
}

/** Offers the tests of pages one system and one browser for all, which cost nothing until they are asked for. */
export async function offerBrowserSystem(): Promise<BrowserSystem> {
  const child = fork(join(import.meta.dirname, '../browser/shared-system.ts'));
  const ended = once(child, 'exit');
  const [url] = await Promise.race([
    once(child, 'message'),
    ended.then(([code]) => Promise.reject(new Error(`The tests' own system ended with ${code}.`))),
  ]);
  return {
    url: String(url),
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
