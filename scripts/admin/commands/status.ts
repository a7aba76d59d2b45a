import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { showError } from '../errors.ts';
import { type CommonOptions, verb } from '../options.ts';
import { statusScreen } from '../status/status-screen.ts';
import { readStatus, type SystemStatus } from '../status/system-status.ts';

const EXIT_NEEDS_YOU = 3;
const DEFAULT_SECONDS = 2;
const CLEAR_SCREEN = '\x1b[2J\x1b[H';

interface StatusOptions extends CommonOptions {
  watch?: number | true;
}

/** The whole system on one screen. */
export function statusCommand(program: Command): void {
  verb(program, 'status', 'the whole system: processes, engines, backlogs, failing endpoints, quotas')
    .option(
      '--watch [seconds]',
      `again and again, until Ctrl-C (default: every ${DEFAULT_SECONDS})`,
      parseSeconds,
    )
    .action(async ({ watch, json }: StatusOptions) => {
      const show = (status: SystemStatus) => {
        if (json) console.log(watch ? JSON.stringify(status) : JSON.stringify(status, null, 2));
        else console.log(`${watch && process.stdout.isTTY ? CLEAR_SCREEN : ''}${statusScreen(status)}`);
        process.exitCode = status.needs_you ? EXIT_NEEDS_YOU : 0;
      };
      show(await readStatus());
      if (watch === undefined) return;
      const stop = new AbortController();
      void once(process, 'SIGINT').then(() => stop.abort());
      const waitMs = (watch === true ? DEFAULT_SECONDS : watch) * 1_000;
      // A system that is being started again has no address for a while: the watch outlasts that.
      while (await delay(waitMs, true, { signal: stop.signal }).catch(() => false))
        await readStatus().then(show, showError);
    });
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!/^\d{1,4}$/.test(text) || seconds < 1)
    throw new InvalidArgumentError('It must be a number of seconds, 1 or more.');
  return seconds;
}
