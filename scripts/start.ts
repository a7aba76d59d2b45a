import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { removeEngineData } from '@frontdesk/local-stack';
import { REPOSITORY } from './repository.ts';
import { takeInstanceLock } from './start/processes/instance-lock.ts';
import { portBaseFrom } from './start/processes/ports.ts';
import { stopSignals } from './start/processes/stop-signals.ts';
import { explain } from './start/progress/explain.ts';
import { consoleProgress } from './start/progress/progress.ts';
import { summaryOf } from './start/progress/summary.ts';
import { startSystem } from './start/system.ts';

const HELP = `npm start [-- --reset]

Brings up the whole system on this machine and keeps it running until Ctrl-C.

  --reset            begin afresh: data, keys and demo of earlier starts are removed
  --directory DIR    where data, keys and logs live (default: .local)

  PORT_BASE          first of the ports (default: 4000, the gateway's)
  DATABASE_URL, REDIS_URL, KAFKA_BROKERS   engines to use instead of own ones
  PUBLIC_URL         the gateway as others reach it, through a tunnel say (default: its local address)
  SETTINGS_URL       the settings as browsers reach them (default: their local address)`;

const DIRECTORY = join(REPOSITORY, '.local');
/** All that a start leaves behind but what it has downloaded. */
const STATE = ['keys', 'logs', 'demo.json'];

process.exit(await main());

async function main(): Promise<number> {
  const progress = consoleProgress(process.stdout);
  const { stop, hasten } = stopSignals();
  try {
    const options = readArguments();
    if (options.help) {
      console.log(HELP);
      return 0;
    }
    const portBase = portBaseFrom(process.env);
    const lock = await takeInstanceLock(options.directory, portBase);
    try {
      await runUntilStopped({ ...options, portBase });
    } finally {
      await lock.release();
    }
    return 0;
  } catch (error) {
    // Whatever a start that was told to stop stumbles over, it was asked for.
    if (stop.aborted) return 0;
    console.error(`\n${explain(error)}`);
    return error instanceof TypeError && 'code' in error ? 2 : 1;
  }

  async function runUntilStopped(options: { directory: string; reset: boolean; portBase: number }) {
    const { directory, reset, portBase } = options;
    if (reset) {
      await removeEngineData(join(directory, 'data'));
      await Promise.all(STATE.map((name) => rm(join(directory, name), { recursive: true, force: true })));
    }
    console.log('Starting Frontdesk');
    const system = await startSystem({
      directory,
      portBase,
      env: process.env,
      seed: true,
      progress,
      signal: stop,
      hasten,
    });
    try {
      console.log(
        await summaryOf({
          gatewayUrl: system.urls.gateway,
          settingsUrl: process.env.SETTINGS_URL || system.urls.settingsUi,
          tenants: system.demo?.tenants ?? [],
        }),
      );
      console.log(`Demo:     ${relative(process.cwd(), join(directory, 'demo.json'))}`);
      console.log(
        `Operator: ${directory === DIRECTORY ? '' : `SYSTEM_DIRECTORY='${directory}' `}npm run -s admin -- --help`,
      );
      console.log('Stop:     Ctrl-C; the data stays');
      if (!stop.aborted) await once(stop, 'abort');
      console.log('');
    } finally {
      await progress.step('stopping', system.stop);
    }
  }
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      reset: { type: 'boolean', default: false },
      directory: { type: 'string', default: DIRECTORY },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  return { ...values, directory: resolve(values.directory) };
}
