import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Says on standard error of each module of OpenTelemetry that it is loaded. */
const TELL_LOADED = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, nextLoad) {
      const [name] = url.match(/@opentelemetry\\/[a-z-]+/) ?? [];
      if (name) process.stderr.write(name + '\\n');
      return nextLoad(url, context);
    },
  });`)}`;

describe('a process', () => {
  let child: ChildProcess | undefined;
  let collector: Server | undefined;
  afterEach(() => {
    child?.kill('SIGKILL');
    collector?.closeAllConnections();
    collector?.close();
  });

  const start = (env: Record<string, string>) => {
    const started = spawn(
      process.execPath,
      ['--import', TELL_LOADED, join(import.meta.dirname, 'start-tracing.fixture.ts')],
      { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    child = started;
    const ended = Promise.all([once(started, 'close'), text(started.stdout), text(started.stderr)]);
    return ended.then(([[code], stdout, stderr]) => ({ code, stdout, loaded: new Set(stderr.split('\n')) }));
  };

  it('without an endpoint loads the API of OpenTelemetry, nothing of its SDK, and makes no span', async () => {
    const { code, stdout, loaded } = await start({});
    expect(code).toBe(0);
    expect(stdout).toBe('spans: 0\n');
    expect([...loaded].filter(Boolean)).toEqual(['@opentelemetry/api']);
  });

  it.each([
    ['is gone', async () => 'http://127.0.0.1:1'],
    [
      'answers nothing',
      async () => {
        collector = createServer(() => {});
        await new Promise<void>((resolve) => collector?.listen(0, '127.0.0.1', resolve));
        return `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
      },
    ],
  ])('ends although the collector %s, and logs that in at most one line', async (_case, endpoint) => {
    const { code, stdout, loaded } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: await endpoint() });
    expect(code).toBe(0);
    expect(loaded).toContain('@opentelemetry/sdk-trace');
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toContain('spans: 10000');
    expect(lines.filter((line) => line.includes('the collector takes no spans')).length).toBeLessThan(2);
    expect(lines.length).toBeLessThan(3);
  });

  it('at a public port samples by its own sampler, whatever flag and trace id a stranger sends', async () => {
    const ratio = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' };
    const none = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', ...ratio });
    expect(none.stdout).toContain('spans: 0\n');
    const all = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      ...ratio,
      OTEL_TRACES_SAMPLER_ARG: '1',
      PARENT_FLAGS: '00',
    });
    expect(all.stdout).toContain('spans: 10000\n');
  });
});
