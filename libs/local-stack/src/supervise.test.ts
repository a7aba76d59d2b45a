import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { type SupervisedOptions, supervise } from './supervise.ts';

describe('a supervised process', () => {
  let launched: ChildProcess[];
  let ends: string[];
  let stopping: AbortController;

  beforeEach(() => {
    launched = [];
    ends = [];
    stopping = new AbortController();
  });

  const start = (command: string[], options: Partial<SupervisedOptions> = {}) =>
    supervise({
      launch() {
        const [name = '', ...args] = command;
        const child = spawn(name, args, { stdio: ['ignore', 'pipe', 'ignore'] });
        launched.push(child);
        return child;
      },
      onEnd: (ending) => ends.push(ending),
      stopSignal: 'SIGTERM',
      stopsWithinMs: 600_000,
      signal: stopping.signal,
      ...options,
    });
  /** Pauses that are over at once, and what they would have taken; the process is stopped in the last of them. */
  const pausesOf = async (count: number, onUp = () => {}, now = () => 0) => {
    const pauses: number[] = [];
    const supervised = start(['true'], {
      onUp,
      clock: {
        now,
        async pause(ms) {
          pauses.push(ms);
          if (pauses.length === count) stopping.abort();
        },
      },
    });
    await supervised.finished;
    return pauses;
  };
  const isGone = () => launched.at(-1)?.exitCode !== null || launched.at(-1)?.signalCode !== null;

  it('begins again whenever it ends, after a pause that doubles up to 10 s', async () => {
    expect(await pausesOf(7)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
    expect(launched).toHaveLength(7);
    expect(ends).toEqual(Array(7).fill('exit code 0'));
  });

  it('that stayed up for 10 s begins again as quickly as the first time', async () => {
    const lives = [0, 0, 10_000, 0].values();
    let time = 0;
    const pauses = await pausesOf(
      4,
      () => {
        time += lives.next().value ?? 0;
      },
      () => time,
    );
    expect(pauses).toEqual([500, 1_000, 500, 1_000]);
  });

  it('is tried again when it can’t be run at all', async () => {
    const supervised = start(['/no/such/program'], {
      clock: { now: () => 0, pause: async () => launched.length === 2 && stopping.abort() },
    });
    await supervised.finished;
    expect(ends).toEqual(['spawn /no/such/program ENOENT', 'spawn /no/such/program ENOENT']);
    const faulty = start([], {
      launch() {
        throw new Error('no room');
      },
      signal: new AbortController().signal,
      onEnd(ending) {
        ends.push(ending);
        void faulty.stop();
      },
    });
    await faulty.finished;
    expect(ends.at(-1)).toBe('no room');
  });

  it.each(['stop', 'signal'])('that is told to stop in a pause (by %s) never begins again', async (how) => {
    const inPause = Promise.withResolvers<void>();
    const supervised = start(['true'], {
      clock: {
        now: () => 0,
        async pause(_ms, signal) {
          inPause.resolve();
          await once(signal, 'abort');
        },
      },
    });
    await inPause.promise;
    if (how === 'stop') await supervised.stop();
    else stopping.abort();
    await supervised.finished;
    expect(launched).toHaveLength(1);
    expect(supervised.pid()).toBeUndefined();
  });

  it('that ends by itself once the signal came stays away, and nothing is reported', async () => {
    const supervised = start(['sleep', '600']);
    stopping.abort();
    expect(supervised.kill('SIGKILL')).toBe(true);
    await supervised.finished;
    expect(launched).toHaveLength(1);
    expect(ends).toEqual([]);
  });

  it('is ended by a stop, however often it is asked for, also while it is not up yet', async () => {
    let isUp = false;
    const supervised = start(['sleep', '600'], {
      async untilUp(ending) {
        while (ending() === null) await new Promise(setImmediate);
        return ending();
      },
      onUp() {
        isUp = true;
      },
    });
    await Promise.all([supervised.stop(), supervised.stop()]);
    await supervised.stop();
    expect(isGone()).toBe(true);
    expect([isUp, ends, launched.length]).toEqual([false, [], 1]);
  });

  it('that will never be up is stopped, and tried again', async () => {
    const supervised = start(['sleep', '600'], {
      untilUp: async () => 'it hangs',
      clock: { now: () => 0, pause: async () => launched.length === 2 && stopping.abort() },
    });
    await supervised.finished;
    expect(launched.map(({ signalCode }) => signalCode)).toEqual(['SIGTERM', 'SIGTERM']);
    expect(ends).toEqual(['it hangs', 'it hangs']);
  });

  it('that does not heed its signal is killed when its time is over', async () => {
    const script = 'trap "" TERM; echo deaf; while true; do sleep 0.05; done';
    const deaf = start(['sh', '-c', script], { stopsWithinMs: 50 });
    // Before its trap is set, the signal would end it.
    await once(launched[0]?.stdout as Readable, 'data');
    await deaf.stop();
    expect(launched.map(({ signalCode }) => signalCode)).toEqual(['SIGKILL']);
  });
});
