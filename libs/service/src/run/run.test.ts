import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const FATAL = 60;

interface Line {
  level: number;
  msg: string;
  err?: { message: string; stack?: string };
}

let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
});

/** A process of run.fixture.ts, its lines as they come, and how it ended. */
function start(env: Record<string, string>) {
  const settings = {
    INTERNAL_PORT: '0',
    IDENTITY_PUBLIC_KEYS_FILE: 'none',
  };
  const started = spawn(process.execPath, [join(import.meta.dirname, 'run.fixture.ts')], {
    env: { PATH: process.env.PATH, ...settings, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = started;
  let output = '';
  started.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  started.stderr.resume();
  return {
    process: started,
    output: started.stdout,
    async end() {
      const [code] = (await once(started, 'close')) as [number | null];
      const lines: Line[] = output
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
      // Sorted: what is being written when the process ends may change places.
      return { code, lines, messages: lines.map(({ msg }) => msg).toSorted() };
    },
  };
}

describe('a process of a service', () => {
  it.each([
    ['in order', {}],
    ['although a part does not stop', { HANGS: 'true', SHUTDOWN_TIMEOUT_MS: '100' }],
  ])('ends when an engine refuses it, and says so in one line: %s', async (_case, env) => {
    const { code, lines, messages } = await start({ FAULT: 'refusal', ...env }).end();
    expect(code).toBe(1);
    expect(messages).toEqual(['REDIS_URL: WRONGPASS', 'part stopped', 'started']);
    expect(lines.find(({ level }) => level === FATAL)?.msg).toBe('REDIS_URL: WRONGPASS');
  });

  it.each([
    ['rejection', 'nobody waits for this'],
    ['exception', 'nobody catches this'],
  ])('ends in order after an unhandled %s, which it logs with its stack', async (fault, message) => {
    const { code, lines, messages } = await start({ FAULT: fault }).end();
    expect(code).toBe(1);
    expect(messages).toEqual(['part stopped', 'started', 'stopped', 'uncaught error, stopping']);
    expect(lines.find(({ level }) => level === FATAL)).toMatchObject({
      err: { message, stack: expect.stringContaining('run.fixture.ts') },
    });
  });

  it('does so too after a rejection with what is no error and has no text', async () => {
    const { code, messages } = await start({ FAULT: 'object' }).end();
    expect(code).toBe(1);
    expect(messages).toEqual(['part stopped', 'started', 'stopped', 'uncaught error, stopping']);
  });

  it('logs a second error and stops once', async () => {
    const { code, messages } = await start({ FAULT: 'twice' }).end();
    expect(code).toBe(1);
    expect(messages.filter((message) => message === 'uncaught error, stopping')).toHaveLength(2);
    expect(messages.filter((message) => message === 'part stopped')).toHaveLength(1);
  });

  it('ends after SHUTDOWN_TIMEOUT_MS where a part does not stop', async () => {
    const env = { FAULT: 'rejection', HANGS: 'true', SHUTDOWN_TIMEOUT_MS: '100' };
    const { code, messages } = await start(env).end();
    expect(code).toBe(1);
    expect(messages).toEqual(['part stopped', 'started', 'stop took too long', 'uncaught error, stopping']);
  });

  it('ends with 0 on SIGTERM', async () => {
    const running = start({ FAULT: 'none' });
    await once(running.output, 'data');
    running.process.kill('SIGTERM');
    const { code, messages } = await running.end();
    expect(code).toBe(0);
    expect(messages).toEqual(['draining', 'part stopped', 'started', 'stopped', 'stopping']);
  });

  it.each([
    ['for DRAIN_MS', '1', 1],
    ['until the second one', '600000', 2],
  ])('drains after SIGTERM %s, and then ends with 0', async (_case, DRAIN_MS, signals) => {
    const running = start({ FAULT: 'none', DRAIN_MS });
    await once(running.output, 'data');
    for (let sent = 0; sent < signals; sent += 1) {
      running.process.kill('SIGTERM');
      await once(running.output, 'data');
    }
    const { code, messages } = await running.end();
    expect(code).toBe(0);
    const stopping = Array.from({ length: signals }, () => 'stopping');
    expect(messages).toEqual(['draining', 'part stopped', 'started', 'stopped', ...stopping]);
  });

  it('does not drain after an uncaught error', async () => {
    const { code, messages } = await start({ FAULT: 'rejection', DRAIN_MS: '600000' }).end();
    expect(code).toBe(1);
    expect(messages).toEqual(['part stopped', 'started', 'stopped', 'uncaught error, stopping']);
  });
});
