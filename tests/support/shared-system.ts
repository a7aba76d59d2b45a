import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LocalSystem } from '../e2e/support/local-system.ts';
import { fromSetUp } from './from-set-up.ts';

/** Where the tests of pages and journeys find their system, and a browser. */
export interface SharedSystem extends Pick<LocalSystem, 'urls' | 'portBase' | 'keysDirectory'> {
  /** Chromium's address, for playwright. */
  browser: string;
}

export interface OfferedSystem {
  /** The answer names the one system and browser of this run, once they are up. */
  url: string;
  /** Stops them, if anybody has asked. */
  stop(): Promise<void>;
}

/** Offers the tests of pages and journeys one system and one browser for all, which cost nothing until they are asked for. */
export async function offerSharedSystem(): Promise<OfferedSystem> {
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

/** The one system of this run; started now, if nobody has asked for it before. */
export async function sharedSystem(): Promise<SharedSystem> {
  const answer = await fetch(fromSetUp('TEST_SHARED_SYSTEM'));
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as SharedSystem;
}
