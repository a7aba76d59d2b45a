import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { withParent } from '@frontdesk/local-stack';
import { ONE_FAILURE, sum, summaryOf, type TestCounts } from '../test/count-tests.ts';
import { runTests } from '../test/run-tests.ts';

/** `[--times N] [paths]`: the tests N times in a row, beside one busy process for each core. */
export async function testUnderStress(args: readonly string[], stop: AbortSignal): Promise<TestCounts> {
  const { times, paths } = readArguments(args);
  // It would go on for a day where this process is killed outright.
  const load = withParent('stress-ng', ['--cpu', String(availableParallelism()), '--quiet'], 'SIGTERM');
  const stress = spawn(load.command, load.args, { stdio: 'inherit' });
  const ended = once(stress, 'exit');
  let total = { passed: 0, failed: 0 };
  try {
    for (let pass = 1; pass <= times && !stop.aborted; pass += 1) {
      const counts = await runTests(paths);
      total = sum(total, counts);
      console.log(`Pass ${pass} of ${times}: ${summaryOf(counts)}`);
    }
    // Without the load for the whole time, the passes prove nothing.
    if (stress.exitCode !== null || stress.signalCode !== null) total = sum(total, ONE_FAILURE);
  } finally {
    stress.kill();
    await ended;
  }
  return total;
}

function readArguments(args: readonly string[]): { times: number; paths: string[] } {
  const options = { times: { type: 'string', default: '1' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const times = Number(values.times);
  if (!Number.isInteger(times) || times < 1) throw new Error('--times takes a number of passes, 1 or more.');
  return { times, paths: positionals };
}
