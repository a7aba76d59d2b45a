import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimDirectory } from './claim.ts';
import { identify, isRunning, type ProcessIdentity } from './process-identity.ts';

const nobody: ProcessIdentity = { pid: process.pid, since: 'another time' };

describe('a directory of engines', () => {
  let directory: string;
  let leftover: ChildProcess;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'claim-'));
    leftover = spawn('sleep', ['600']);
    await once(leftover, 'spawn');
  });
  afterEach(() => {
    leftover.kill('SIGKILL');
    rmSync(directory, { recursive: true });
  });

  const leftBehind = (owner: ProcessIdentity, engine: ProcessIdentity) =>
    writeFileSync(
      join(directory, 'engines.json'),
      JSON.stringify({ owner, processes: [{ name: 'Redis', stopSignal: 'SIGTERM', ...engine }] }),
    );
  const leftoverIdentity = () => identify(leftover.pid ?? 0) as ProcessIdentity;

  it('belongs to one process at a time', async () => {
    const claim = await claimDirectory(directory, () => {});
    await expect(claimDirectory(directory, () => {})).rejects.toThrow(
      `Process ${process.pid} already runs engines`,
    );
    claim.release();
    await expect(claimDirectory(directory, () => {})).resolves.toBeDefined();
  });

  it('is freed of engines that a killed owner left behind', async () => {
    const engine = leftoverIdentity();
    leftBehind(nobody, engine);
    const ended = once(leftover, 'exit');
    const lines: string[] = [];
    await claimDirectory(directory, (line) => lines.push(line));
    await ended;
    expect(isRunning(engine)).toBe(false);
    expect(lines).toEqual(['Stopping the Redis that an earlier run left behind …']);
  });

  it.each(['', '{"owner"', 'null', '[]', '{}', '{"owner":{}}'])(
    'is free where its note holds %j',
    async (text) => {
      writeFileSync(join(directory, 'engines.json'), text);
      await expect(claimDirectory(directory, () => {})).resolves.toBeDefined();
    },
  );

  it('never costs another program its life whose process number an engine once had', async () => {
    leftBehind(nobody, { ...leftoverIdentity(), since: 'another time' });
    await claimDirectory(directory, () => {});
    expect(isRunning(leftoverIdentity())).toBe(true);
  });
});
