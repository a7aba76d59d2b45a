import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { REPOSITORY } from './repository.ts';
import { writePastDay } from './screenshots/past-day.ts';
import { takePictures } from './screenshots/take-pictures.ts';
import { makeTraffic } from './screenshots/traffic.ts';
import { portBaseFrom } from './start/processes/ports.ts';
import { stopSignals } from './start/processes/stop-signals.ts';
import { consoleProgress } from './start/progress/progress.ts';
import { startSystem } from './start/system.ts';

/**
 * `npm run screenshots`: starts a system of its own with the demo businesses, and writes pictures of the settings to
 * docs/images. The pages are listed in scripts/screenshots/take-pictures.ts. PORT_BASE moves its ports, beside a system that runs.
 */
const DIRECTORY = join(REPOSITORY, 'docs', 'images');
/** The one that is open every day, and whose data is English. */
const PICTURED = 'Southern Cross Wellness & Physiotherapy';
const RECEIVER_OFFSET = 80;

const progress = consoleProgress(process.stdout);
const { stop, hasten } = stopSignals();
const portBase = portBaseFrom(process.env);
const state = await mkdtemp(join(tmpdir(), 'frontdesk-screenshots-'));
// PostgreSQL's own user must be able to reach into it.
await chmod(state, 0o755);
try {
  const { PATH, JAVA_HOME } = process.env;
  const system = await startSystem({
    directory: state,
    portBase,
    env: { PATH, JAVA_HOME, LOG_LEVEL: 'warn' },
    seed: true,
    durable: false,
    progress,
    signal: stop,
    hasten,
  });
  try {
    const tenant = system.demo?.tenants.find(({ name }) => name === PICTURED);
    if (!tenant) throw new Error(`The demo has no ${PICTURED}.`);
    const { urls, keysDirectory, engines } = system;
    await progress.step('a busy day', async () => {
      await makeTraffic({
        urls,
        operatorKeyFile: join(keysDirectory, 'operator.json'),
        tenant,
        receiverPort: portBase + RECEIVER_OFFSET,
      });
      await writePastDay({
        webhooksUrl: Object.assign(new URL(engines.databaseUrl), { pathname: '/frontdesk_webhooks' }).href,
        redisUrl: engines.redisUrl,
        tenantId: tenant.id,
        timezone: tenant.timezone,
      });
    });
    await progress.step(`pictures in ${relative(process.cwd(), DIRECTORY)}`, (detail) =>
      takePictures({
        settingsUrl: urls.settingsUi,
        admin: tenant.admin,
        directory: DIRECTORY,
        onTaken: detail,
      }),
    );
  } finally {
    await progress.step('stopping', system.stop);
  }
} finally {
  await rm(state, { recursive: true, force: true });
}
process.exit();
