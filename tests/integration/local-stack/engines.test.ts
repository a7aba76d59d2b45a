import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  type EnginePorts,
  type Engines,
  freePorts,
  identify,
  type ProcessIdentity,
  removeEngineData,
} from '@frontdesk/local-stack';
import { eventually } from '../../support/index.ts';
import { readMark, writeMark } from './marks.ts';

/** Ends what never comes: where all is slow, a start takes minutes. */
const PATIENCE_MS = 600_000;
const isGone = ({ pid, since }: ProcessIdentity) => identify(pid)?.since !== since;

describe('local engines', () => {
  let directory: string;
  let ports: EnginePorts;
  let runner: ChildProcess;

  beforeAll(async () => {
    directory = join('.local', `engines-${process.pid}`);
    await mkdir(directory, { recursive: true });
    const [postgres = 0, redis = 0, kafka = 0, kafkaController = 0] = await freePorts(4);
    ports = { postgres, redis, kafka, kafkaController };
  });
  afterAll(async () => {
    runner.kill('SIGTERM');
    if (runner.exitCode === null && runner.signalCode === null) await once(runner, 'exit');
    await removeEngineData(directory);
  });

  const start = async (): Promise<Omit<Engines, 'stop'>> => {
    runner = spawn(
      process.execPath,
      [join(import.meta.dirname, 'run-engines.ts'), directory, JSON.stringify(ports)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    for await (const line of createInterface({ input: runner.stdout as NodeJS.ReadableStream })) {
      return JSON.parse(line) as Omit<Engines, 'stop'>;
    }
    throw new Error('the engines did not start');
  };
  const engineProcesses = async () =>
    (JSON.parse(await readFile(join(directory, 'engines.json'), 'utf8')) as { processes: ProcessIdentity[] })
      .processes;

  /** A broker that was killed takes a moment until it knows itself again. */
  const untilMarked = (engines: Omit<Engines, 'stop'>, mark: Awaited<ReturnType<typeof readMark>>) =>
    eventually(async () => expect(await readMark(engines)).toEqual(mark));

  it(
    'begin with an empty cluster, though a first start was killed halfway',
    async () => {
      for (const unfinished of ['postgres.new', 'kafka.new']) {
        await mkdir(join(directory, unfinished));
        await writeFile(join(directory, unfinished, 'junk'), '');
      }
      await writeMark(await start(), 'first');
    },
    PATIENCE_MS,
  );

  it(
    'stop without leaving a process, and keep the data for the next start',
    async () => {
      const processes = await engineProcesses();
      expect(processes).toHaveLength(3);
      runner.kill('SIGTERM');
      await once(runner, 'exit');
      expect(processes.every(isGone)).toBe(true);
      const engines = await start();
      await untilMarked(engines, { postgres: 'first', redis: 'first', messages: 1 });
      await writeMark(engines, 'second');
    },
    PATIENCE_MS,
  );

  it(
    'heal when they and their owner were killed',
    async () => {
      const processes = await engineProcesses();
      for (const { pid } of processes) process.kill(pid, 'SIGKILL');
      runner.kill('SIGKILL');
      await once(runner, 'exit');
      const engines = await start();
      await untilMarked(engines, { postgres: 'second', redis: 'second', messages: 2 });
    },
    PATIENCE_MS,
  );

  it(
    'never outlive the next start when only their owner was killed',
    async () => {
      const processes = await engineProcesses();
      runner.kill('SIGKILL');
      await once(runner, 'exit');
      const engines = await start();
      expect(processes.every(isGone)).toBe(true);
      await untilMarked(engines, { postgres: 'second', redis: 'second', messages: 2 });
    },
    PATIENCE_MS,
  );
});
