import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runningPortBase, takeInstanceLock } from './instance-lock.ts';

describe("a system's lock", () => {
  let directory: string;
  let file: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lock-'));
    file = join(directory, 'start.lock');
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('says where the system listens, while it runs and no longer', async () => {
    expect(await runningPortBase(directory)).toBeUndefined();
    const lock = await takeInstanceLock(directory, 5_000);
    expect(await runningPortBase(directory)).toBe(5_000);
    await expect(takeInstanceLock(directory, 6_000)).rejects.toThrow(`already (process ${process.pid})`);
    expect(await runningPortBase(directory)).toBe(5_000);
    await lock.release();
    expect(await runningPortBase(directory)).toBeUndefined();
  });

  it('that a killed start left behind says nothing, and is taken by the next one', async () => {
    await takeInstanceLock(directory, 5_000);
    const killed = JSON.parse(await readFile(file, 'utf8'));
    const damaged = ['{"pid": 1', '', 'null', '[]', '{}', '{"pid":1}', '{"portBase":5000}'];
    for (const left of [JSON.stringify({ ...killed, since: 'another time' }), ...damaged]) {
      await writeFile(file, left);
      expect(await runningPortBase(directory)).toBeUndefined();
      await takeInstanceLock(directory, 6_000);
      expect(await runningPortBase(directory)).toBe(6_000);
    }
  });

  it('that names no port base of a system says nothing, and is still its own', async () => {
    await takeInstanceLock(directory, 5_000);
    const taken = JSON.parse(await readFile(file, 'utf8'));
    for (const portBase of [undefined, null, '5000', 'x@elsewhere.example/', 80, 5_000.5, 70_000]) {
      await writeFile(file, JSON.stringify({ ...taken, portBase }));
      expect(await runningPortBase(directory)).toBeUndefined();
      await expect(takeInstanceLock(directory, 6_000)).rejects.toThrow('already');
    }
  });
});
