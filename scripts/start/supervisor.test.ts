import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Supervised, supervise } from './supervisor.ts';

/** Says in its log that it runs; a second line for each SIGTERM. It stays until it is killed, when told to be deaf. */
const PROGRAM = `
console.log('up ' + JSON.stringify(Object.keys(process.env).filter((name) => !name.startsWith('__')).sort()));
process.on('SIGTERM', () => { console.log('told'); if (!process.env.DEAF) process.exit(0); });
setInterval(() => {}, 1000);
`;

describe('a supervised service', () => {
  let directory: string;
  let logFile: string;
  let notices: string[];
  const hasten = new AbortController();

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'supervised-'));
    logFile = join(directory, 'service.log');
    notices = [];
    await writeFile(join(directory, 'program.mjs'), PROGRAM);
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  const start = (env: Record<string, string>): Supervised =>
    supervise({
      name: 'service',
      entry: join(directory, 'program.mjs'),
      env,
      cwd: directory,
      logFile,
      onNotice: (line) => notices.push(line),
      hasten: hasten.signal,
    });
  const untilLogged = async (text: string, times: number) => {
    while ((await readFile(logFile, 'utf8')).split(text).length <= times) await delay(20);
  };

  it('is started again when it dies, under a new process id, and the operator is told', async () => {
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

    expect(await readFile(logFile, 'utf8')).toContain('up ["MALLOC_ARENA_MAX","ONLY"]');
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
