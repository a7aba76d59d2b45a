import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import {
  type EnginePorts,
  type Engines,
  freePorts,
  identify,
  isRunning,
  type ProcessIdentity,
  removeEngineData,
  requireFreePort,
  startEngines,
} from '@frontdesk/local-stack';
import { Client } from 'pg';
import { allProcesses } from '../../support/all-processes.ts';
import { eventually } from '../../support/index.ts';
import { readMark, writeMark } from './marks.ts';

/** A wait here ends what never comes, and Kafka takes its time to start where everything is slow. */
const PATIENCE_MS = 300_000;
const PATIENCE = { timeoutMs: PATIENCE_MS };
const MARK = { postgres: 'kept', redis: 'kept', messages: 1 };

type EngineName = 'PostgreSQL' | 'Redis' | 'Kafka';

describe('local engines that are started again', () => {
  let directory: string;
  let java: string;
  let ports: EnginePorts;
  let engines: Engines;
  const notices: string[] = [];

  beforeAll(async () => {
    directory = join('.local', `restarts-${process.pid}`);
    java = resolve(directory, 'jdk', 'bin', 'java');
    await mkdir(join(java, '..'), { recursive: true });
    await mendJava();
    const [postgres = 0, redis = 0, kafka = 0, kafkaController = 0] = await freePorts(4);
    ports = { postgres, redis, kafka, kafkaController };
    engines = await startEngines({
      directory,
      ports,
      env: { PATH: process.env.PATH, JAVA_HOME: resolve(directory, 'jdk') },
      restart: true,
      onNotice: (text) => notices.push(text),
    });
    await writeMark(engines, 'kept');
  }, PATIENCE_MS);
  afterAll(async () => {
    await engines?.stop();
    await removeEngineData(directory);
  });
  beforeEach(() => notices.splice(0));

  /** A Java that the test can break. */
  async function mendJava(): Promise<void> {
    const { JAVA_HOME } = process.env;
    const real = JAVA_HOME ? join(JAVA_HOME, 'bin', 'java') : 'java';
    await writeFile(java, `#!/bin/sh\nexec ${real} "$@"\n`);
    await chmod(java, 0o755);
  }
  const recorded = async (name: EngineName): Promise<ProcessIdentity> => {
    const file = await readFile(join(directory, 'engines.json'), 'utf8');
    const { processes } = JSON.parse(file) as { processes: (ProcessIdentity & { name: EngineName })[] };
    expect(processes.map((process) => process.name).sort()).toEqual(['Kafka', 'PostgreSQL', 'Redis']);
    return processes.find((process) => process.name === name) as ProcessIdentity;
  };
  const kill = async (name: EngineName) => {
    const victim = await recorded(name);
    process.kill(victim.pid, 'SIGKILL');
    return victim;
  };
  const untilNoticed = (pattern: RegExp) =>
    eventually(() => expect(notices).toContainEqual(expect.stringMatching(pattern)), PATIENCE);
  const untilDataIsBack = () =>
    eventually(async () => expect(await readMark(engines)).toEqual(MARK), PATIENCE);

  it.each(['PostgreSQL', 'Redis', 'Kafka'] as const)(
    '%s, when it is killed, is back on its port with its data, and the log says both',
    async (name) => {
      const victim = await kill(name);
      await untilNoticed(new RegExp(`^${name} is back\\.$`));
      expect(notices[0]).toMatch(
        new RegExp(`^${name} is gone \\(SIGKILL\\); starting it again in 0.5 s\\.\\nThe end of .*:\\n.*\\S`),
      );
      await untilDataIsBack();
      const next = await recorded(name);
      expect([isRunning(victim), isRunning(next)]).toEqual([false, true]);
    },
    2 * PATIENCE_MS,
  );

  it(
    'PostgreSQL is tried again until the last session of the one that was killed has ended',
    async () => {
      const client = new Client({ connectionString: engines.databaseUrl });
      client.on('error', () => {});
      await client.connect();
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
      const session = identify(Number(rows[0].pid)) as ProcessIdentity;
      process.kill(session.pid, 'SIGSTOP');
      try {
        await kill('PostgreSQL');
        await untilNoticed(/^PostgreSQL did not start again .*(.*\n)+.*pre-existing shared memory block/);
        expect(isRunning(session)).toBe(true);
      } finally {
        process.kill(session.pid, 'SIGCONT');
      }
      await untilNoticed(/^PostgreSQL is back\.$/);
      await untilDataIsBack();
      await client.end().catch(() => {});
    },
    2 * PATIENCE_MS,
  );

  it(
    'Redis is tried again while something else holds its port',
    async () => {
      const holder = await takePortOfRedis();
      await untilNoticed(/^Redis did not start again \(exit code 1\); starting it again in \d+ s\./);
      const pauses = () =>
        notices.flatMap((text) => /^Redis did not .* in ([\d.]+) s/.exec(text)?.[1] ?? []).map(Number);
      await eventually(() => expect(pauses().length).toBeGreaterThanOrEqual(2), PATIENCE);
      expect(pauses()[1]).toBeGreaterThan(pauses()[0] as number);
      notices.splice(0);
      await new Promise((closed) => holder.close(closed));
      await untilNoticed(/^Redis is back\.$/);
      await untilDataIsBack();
    },
    2 * PATIENCE_MS,
  );

  /** Kills Redis and listens in its stead; again, should it be back sooner. */
  async function takePortOfRedis() {
    let victim = await kill('Redis');
    for (;;) {
      const server = createServer((socket) => socket.destroy());
      const isOurs = await new Promise<boolean>((answer) => {
        server.once('error', () => answer(false));
        server.listen(ports.redis, '127.0.0.1', () => answer(true));
      });
      if (isOurs) return server;
      const now = await recorded('Redis');
      if (now.pid !== victim.pid && isRunning(now)) victim = await kill('Redis');
    }
  }

  it(
    'all stop for good when they are told to, whatever each is at',
    async () => {
      await rm(java);
      await kill('Kafka');
      await untilNoticed(/^Kafka did not start again /);
      await mendJava();
      // Both end while the stop is under way, and Kafka waits for its next start.
      const victims = [await recorded('PostgreSQL'), await recorded('Redis')];
      const stopped = engines.stop();
      for (const { pid } of victims) process.kill(pid, 'SIGKILL');
      notices.splice(0);
      await stopped;

      expect(processesOf(directory)).toEqual([]);
      for (const [name, port] of Object.entries(ports)) await requireFreePort(port, name);
      await expect(readFile(join(directory, 'engines.json'))).rejects.toThrow('ENOENT');
      expect(notices).toEqual([]);
    },
    2 * PATIENCE_MS,
  );
});

/** Engines get their directory as an argument; sessions of PostgreSQL aren't. */
function processesOf(directory: string): string[] {
  return allProcesses()
    .map(({ command }) => command)
    .filter((command) => command.includes(resolve(directory)));
}
