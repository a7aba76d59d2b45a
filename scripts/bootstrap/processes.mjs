import { spawn, spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { Fault, say } from './output.mjs';

/** @type {import('node:child_process').ChildProcess | null} */
let running = null;

/** Signals of one Ctrl-C: the terminal sends one, and npm sends it on as well. */
const ONE_GESTURE_MS = 1000;
const PARENT_CHECK_MS = 1000;
/** How often a long command's progress is said. */
const PROGRESS_MS = 10_000;
/** Of what a failed command said: this many lines from its beginning and from its end. */
const SHOWN_LINES = 15;

/**
 * From now on SIGINT, SIGTERM and SIGHUP are for the child: each reaches it once, however many copies arrive. Without a
 * child they end this process.
 * @param {number} oneGestureMs
 */
export function forwardSignals(oneGestureMs = ONE_GESTURE_MS) {
  let lastForwarded = -Infinity;
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => {
    if (!running) process.exit(128 + constants.signals[signal]);
    if (performance.now() - lastForwarded < oneGestureMs) return;
    lastForwarded = performance.now();
    running.kill(signal);
  };
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => forward(signal));
  }
  if (process.env.npm_lifecycle_event) {
    // npm killed outright can't pass anything on.
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && forward('SIGTERM'), PARENT_CHECK_MS).unref();
  }
}

/**
 * Runs a command to its end. Of what it says nothing is shown but, every ten seconds, how far it is; throws, with what it said, when
 * it fails.
 * @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} env
 * @param {(said: string) => string} howFar from what the command has said so far
 */
export async function runQuietly(command, args, env, howFar, progressMs = PROGRESS_MS) {
  const output = { text: '' };
  const begun = performance.now();
  const progress = setInterval(() => {
    say(`  … ${Math.round((performance.now() - begun) / 1_000)} s: ${howFar(output.text)}`);
  }, progressMs);
  const code = await run(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }, output).finally(() =>
    clearInterval(progress),
  );
  if (code === 0) return;
  const lines = output.text.trimEnd().split('\n');
  const [head, tail] = [lines.slice(0, SHOWN_LINES), lines.slice(SHOWN_LINES).slice(-SHOWN_LINES)];
  const cut = lines.length > 2 * SHOWN_LINES ? ['…'] : [];
  throw new Fault(
    [`${command} ${args.join(' ')} failed with code ${code}:`, ...head, ...cut, ...tail].join('\n'),
  );
}

/**
 * Runs the pinned Node and answers its exit code. In a session of its own, so that a terminal's Ctrl-C reaches it once,
 * by us; on Linux the kernel ends it should this process be killed outright.
 * @param {string} node @param {string[]} args
 */
export function runPinned(node, args) {
  const withSetpriv = spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true']).status === 0;
  const words = withSetpriv ? ['setpriv', '--pdeathsig', 'TERM', node, ...args] : [node, ...args];
  return run(words[0] ?? node, words.slice(1), { stdio: 'inherit', detached: true });
}

/**
 * @param {string} command @param {string[]} args @param {import('node:child_process').SpawnOptions} options
 * @param {{ text: string }} [output]
 * @returns {Promise<number>}
 */
function run(command, args, options, output) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, options);
    running = child;
    const hear = (/** @type {Buffer} */ chunk) => {
      if (output) output.text += chunk;
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.on('error', (error) => reject(new Fault(`${command} can't be run: ${error.message}`)));
    child.on('close', (code, signal) => {
      running = null;
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']);
    });
  });
}
