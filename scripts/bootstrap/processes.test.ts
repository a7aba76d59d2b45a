import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const processes = pathToFileURL(join(import.meta.dirname, 'processes.mjs')).href;

/** Runs the script as the bootstrap runs one, in a process group of its own as under a terminal. */
function bootstrap(script: string): ChildProcess {
  const code = `
    import { forwardSignals, runPinned } from '${processes}';
    forwardSignals();
    process.exit(await runPinned(process.execPath, ['-e', ${JSON.stringify(script)}]));`;
  return spawn(process.execPath, ['--input-type=module', '-e', code], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

describe('what the bootstrap runs', () => {
  it('sees one Ctrl-C once, though the terminal and npm both send it, and decides how it ends', async () => {
    const child = bootstrap(`
      process.on('SIGINT', () => { console.log('SIGINT'); setTimeout(() => process.exit(5), 300); });
      setInterval(() => {}, 1000);
      console.log('up');`);
    const output = text(child.stdout as NodeJS.ReadableStream);
    await once(child.stdout as NodeJS.ReadableStream, 'readable');
    process.kill(-(child.pid ?? 0), 'SIGINT');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([5, null]);
    expect(await output).toBe('up\nSIGINT\n');
  });

  it('tells by the exit code what ended it', async () => {
    const byCode = bootstrap('process.exit(3)');
    const bySignal = bootstrap("process.kill(process.pid, 'SIGTERM')");
    expect(await Promise.all([once(byCode, 'exit'), once(bySignal, 'exit')])).toEqual([
      [3, null],
      [143, null],
    ]);
  });
});
