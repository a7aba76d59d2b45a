import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually } from '../../tests/support/eventually.ts';

const processes = pathToFileURL(join(import.meta.dirname, 'processes.mjs')).href;

/** Longer than the test: however late a copy of a signal comes, it is one of the same Ctrl-C. */
const ONE_GESTURE_MS = 3_600_000;

/** Runs the script as the bootstrap runs one, in a process group of its own as under a terminal; reports each SIGINT that it got itself. */
function bootstrap(script: string): ChildProcess {
  const code = `
    import { forwardSignals, runPinned } from '${processes}';
    forwardSignals(${ONE_GESTURE_MS});
    process.on('SIGINT', () => console.log('bootstrap got SIGINT'));
    process.exit(await runPinned(process.execPath, ['-e', ${JSON.stringify(script)}]));`;
  return spawn(process.execPath, ['--input-type=module', '-e', code], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

describe('what the bootstrap runs', () => {
  it('says how far a long command is, while it runs', async () => {
    const code = `
      import { runQuietly } from '${processes}';
      await runQuietly(process.execPath, ['-e', "console.log('two'); setInterval(() => {}, 1000)"], process.env,
        (said) => 'at ' + said.trim(), 20);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      detached: true,
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    try {
      let said = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      await eventually(() => expect(said).toMatch(/^ {2}… \d+ s: at two$/m));
    } finally {
      process.kill(-(child.pid ?? 0), 'SIGKILL'); // the command too
    }
  });

  it('sees one Ctrl-C once, though the terminal and npm both send it, and decides how it ends', async () => {
    const child = bootstrap(`
      process.on('SIGINT', () => console.log('SIGINT'));
      process.on('SIGUSR2', () => process.exit(5));
      console.log('up ' + process.pid);
      setInterval(() => {}, 1000);`);
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const untilSaid = (text: string, times = 1) =>
      eventually(() => expect(output.split(text)).toHaveLength(times + 1));
    await untilSaid('up');
    process.kill(-(child.pid ?? 0), 'SIGINT');
    await untilSaid('\nSIGINT\n');
    child.kill('SIGINT');
    // By now the bootstrap has forwarded the second one or has not.
    await untilSaid('bootstrap got SIGINT', 2);
    process.kill(Number(/up (\d+)/.exec(output)?.[1]), 'SIGUSR2');
    expect(await once(child, 'close')).toEqual([5, null]);
    expect(output.match(/^SIGINT$/gm)).toHaveLength(1);
  });

  it('says by the exit code what ended it', async () => {
    const byCode = bootstrap('process.exit(3)');
    const bySignal = bootstrap("process.kill(process.pid, 'SIGTERM')");
    expect(await Promise.all([once(byCode, 'exit'), once(bySignal, 'exit')])).toEqual([
      [3, null],
      [143, null],
    ]);
  });
});
