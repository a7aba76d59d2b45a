import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from './engine-process.ts';
import { identify } from './process-identity.ts';
import type { LocalStart } from './types.ts';

describe('an engine process', () => {
  let directory: string;
  let pids: number[];
  let failures: Error[];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'engine-process-'));
    pids = [];
    failures = [];
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const start = (script: string, { startsWithinMs = 10_000, signal = new AbortController().signal } = {}) =>
    startProcess(
      {
        name: 'Engine',
        command: 'sh',
        args: ['-c', script],
        cwd: directory,
        logFile: join(directory, 'engine.log'),
        stopSignal: 'SIGTERM',
        startsWithinMs,
        isReady: (log) => log.includes('ready'),
      },
      {
        signal,
        record: ({ pid }) => pids.push(pid),
        failed: (error) => failures.push(error),
      } as Partial<LocalStart> as LocalStart,
    );
  const isGone = () => pids.length === 1 && identify(pids[0] ?? 0) === null;

  it('runs from ready to stopped, and its end is then no failure', async () => {
    const { stop } = await start('echo ready; exec sleep 600');
    expect(isGone()).toBe(false);
    await stop();
    expect(isGone()).toBe(true);
    expect(failures).toEqual([]);
  });

  it('that ends while starting says why, with the end of its log', async () => {
    await expect(start('echo no space left; exit 3')).rejects.toThrow(
      /Engine did not start: it ended with code 3\.\nThe end of .*engine.log:\nno space left/,
    );
  });

  it('that is not ready in time is stopped', async () => {
    await expect(start('exec sleep 600', { startsWithinMs: 100 })).rejects.toThrow(
      'it was not ready after 0.1 s',
    );
    expect(isGone()).toBe(true);
  });

  it('whose start is given up is stopped', async () => {
    await expect(start('exec sleep 600', { signal: AbortSignal.abort() })).rejects.toThrow(
      'the start was given up',
    );
    expect(isGone()).toBe(true);
  });

  it('that ends unasked later is reported', async () => {
    const { stop } = await start('echo ready; sleep 0.1; exit 7');
    while (failures.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(failures[0]?.message).toMatch(/Engine is gone: it ended with code 7/);
    await stop();
  });
});
