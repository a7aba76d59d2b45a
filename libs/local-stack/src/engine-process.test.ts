import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EngineCommand, startProcess } from './engine-process.ts';
import { identify } from './process-identity.ts';
import type { LocalStart } from './types.ts';

/** Ready, and ends with 7 as soon as there is a file `end`. */
const ENDS_WHEN_TOLD = 'echo ready; while [ ! -e end ]; do sleep 0.05; done; exit 7';

describe('an engine process', () => {
  let directory: string;
  let pids: number[];
  let notices: string[];
  let told: EventEmitter;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'engine-process-'));
    pids = [];
    notices = [];
    told = new EventEmitter();
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const file = (name: string) => join(directory, name);
  const start = (script: string, engine: Partial<EngineCommand> = {}, options: Partial<LocalStart> = {}) =>
    startProcess(
      {
        name: 'Engine',
        command: 'sh',
        args: ['-c', script],
        cwd: directory,
        logFile: file('engine.log'),
        stopSignal: 'SIGTERM',
        isReady: (log) => log.includes('ready'),
        ...engine,
      },
      {
        signal: new AbortController().signal,
        restart: false,
        record: ({ pid }) => pids.push(pid),
        notice: (text) => {
          notices.push(text);
          told.emit('notice');
        },
        ...options,
      } as Partial<LocalStart> as LocalStart,
    );
  const areGone = () => pids.every((pid) => identify(pid) === null);
  const untilNotices = async (count: number) => {
    while (notices.length < count) await once(told, 'notice');
  };

  it('runs from ready to stopped, and its end is then no failure', async () => {
    const { stop } = await start('echo ready; exec sleep 600');
    expect(areGone()).toBe(false);
    await stop();
    expect(pids).toHaveLength(1);
    expect(areGone()).toBe(true);
    expect(notices).toEqual([]);
  });

  it('that ends while starting says why, with the end of its log, and is not tried again', async () => {
    await expect(start('echo no space left; exit 3', {}, { restart: true })).rejects.toThrow(
      /Engine did not start \(exit code 3\)\.\nThe end of .*engine.log:\nno space left/,
    );
    expect(pids).toHaveLength(1);
  });

  it('that ends while starting of what will pass by itself is tried again', async () => {
    const isTransient = (log: string) => log.includes('in use');
    const script = 'if [ -e been ]; then echo ready; exec sleep 600; fi; touch been; echo in use; exit 1';
    const { stop } = await start(script, { isTransient });
    await stop();
    expect(pids).toHaveLength(2);
  });

  it('that is not ready in time is stopped', async () => {
    await expect(start('exec sleep 600', { startsWithinMs: 100 })).rejects.toThrow('not ready after 0.1 s');
    expect(pids).toHaveLength(1);
    expect(areGone()).toBe(true);
  });

  it('whose start is given up is stopped, or never launched', async () => {
    const givenUp = new AbortController();
    const record: LocalStart['record'] = ({ pid }) => {
      pids.push(pid);
      givenUp.abort();
    };
    const { signal } = givenUp;
    for (const _time of ['while it starts', 'before'])
      await expect(start('exec sleep 600', {}, { signal, record })).rejects.toThrow('the start was given up');
    expect(pids).toHaveLength(1);
    expect(areGone()).toBe(true);
  });

  it('that ends unasked later is reported', async () => {
    const { stop } = await start(ENDS_WHEN_TOLD);
    writeFileSync(file('end'), '');
    await untilNotices(1);
    await stop();
    expect(notices).toEqual([
      expect.stringMatching(/^Engine is gone \(exit code 7\)\.\nThe end of .*:\nready$/),
    ]);
    expect(pids).toHaveLength(1);
  });

  it('is started again where that is wanted, as often as it takes, and says so', async () => {
    const beforeLaunch = () => pids.length === 2 && rmSync(file('broken'));
    const script = `if [ -e broken ]; then rm end; echo broken; exit 1; fi; ${ENDS_WHEN_TOLD}`;
    const { stop } = await start(script, { beforeLaunch: () => void beforeLaunch() }, { restart: true });
    writeFileSync(file('broken'), '');
    writeFileSync(file('end'), '');
    await untilNotices(3);
    expect(notices).toEqual([
      expect.stringMatching(/^Engine is gone \(exit code 7\); starting it again in 0.5 s\.\n(.*\n)+ready$/),
      expect.stringMatching(
        /^Engine did not start again \(exit code 1\); starting it again in 1 s\.\n(.*\n)+broken$/,
      ),
      'Engine is back.',
    ]);
    await stop();
    expect(pids).toHaveLength(3);
    expect(areGone()).toBe(true);
    expect(notices).toHaveLength(3);
  });
});
