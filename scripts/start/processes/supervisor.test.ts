import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../../tests/support/eventually.ts';
import { type SupervisedService, superviseService } from './supervisor.ts';

/** Logs that it runs, once it hears signals, and each SIGTERM. Told to be deaf, it stays until it is killed. */
const PROGRAM = `
process.on('SIGTERM', () => { console.log('told'); if (!process.env.DEAF) process.exit(0); });
console.log('up ' + JSON.stringify(Object.keys(process.env).filter((name) => !name.startsWith('__')).sort()));
setInterval(() => {}, 1000);
`;

describe('a supervised service', () => {
  let directory: string;
  let logFile: string;
  let notices: string[];
  let hasten: AbortController;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'supervised-'));
    logFile = join(directory, 'service.log');
    notices = [];
    hasten = new AbortController();
    await writeFile(join(directory, 'program.mjs'), PROGRAM);
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  const start = (env: Record<string, string>): SupervisedService =>
    superviseService({
      name: 'service',
      entry: join(directory, 'program.mjs'),
      env,
      cwd: directory,
      logFile,
      onNotice: (line) => notices.push(line),
      signal: new AbortController().signal,
      hasten: hasten.signal,
    });
  const untilLogged = (text: string, times: number) =>
    eventually(async () => expect((await readFile(logFile, 'utf8')).split(text)).toHaveLength(times + 1));

  it('is started again when it dies, under a new process id, and the operator sees it', async () => {
    const service = start({});
    await untilLogged('up', 1);
    const first = service.pid();
    service.kill('SIGKILL');
    await untilLogged('up', 2);

    expect(service.pid()).toBeDefined();
    expect(service.pid()).not.toBe(first);
    expect(notices).toEqual(['service ended (SIGKILL); starting it again in 0.5 s']);
    expect(await service.firstExit).toBe('SIGKILL');
    await service.stop();
  });

  it('gets the environment it is given, how malloc is to behave, and nothing of ours', async () => {
    const service = start({ ONLY: 'this' });
    await untilLogged('up', 1);
    await service.stop();

    expect(await readFile(logFile, 'utf8')).toContain(
      'up ["MALLOC_ARENA_MAX","MALLOC_MMAP_THRESHOLD_","ONLY"]',
    );
  });

  it('is not started again once it was told to stop', async () => {
    const service = start({});
    await untilLogged('up', 1);
    await service.stop();

    expect(await readFile(logFile, 'utf8')).toContain('told');
    expect(service.pid()).toBeUndefined();
    expect(notices).toEqual([]);
  });

  it('is killed when it does not heed SIGTERM and the stop is hastened', async () => {
    const service = start({ DEAF: '1' });
    await untilLogged('up', 1);
    const stopped = service.stop();
    await untilLogged('told', 1);
    hasten.abort();
    await stopped;

    expect(service.pid()).toBeUndefined();
  });
});
