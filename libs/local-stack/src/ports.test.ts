import { execFile } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts, reservePorts } from './ports.ts';

const FILE = JSON.stringify(join(import.meta.dirname, 'ports.ts'));

/** What another process gets to hear. */
const elsewhere = async (expression: string) => {
  const code = `const { freePorts, reservePorts } = await import(${FILE}); console.log(JSON.stringify(${expression}));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
  return JSON.parse(stdout);
};

describe('ports', () => {
  it('that one process was given are given to no other while it lives, though nobody listens there yet', async () => {
    const mine = await freePorts(3);
    expect(new Set(mine).size).toBe(3);
    expect(
      await elsewhere(`await Promise.all(${JSON.stringify(mine)}.map((port) => reservePorts([port])))`),
    ).toEqual([false, false, false]);
    // Theirs can be had once they are gone; again where a third one was quicker.
    while (!(await reservePorts(await elsewhere('await freePorts(1)')))) {}
  });

  it('are reserved all or none', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port: taken } = server.address() as AddressInfo;
    const reservesAfterAll = async () => {
      const [free = 0] = (await elsewhere('await freePorts(1)')) as number[];
      expect(await reservePorts([free, taken])).toBe(false);
      return reservePorts([free]);
    };
    while (!(await reservesAfterAll())) {}
    await new Promise((resolve) => server.close(resolve));
  });
});
