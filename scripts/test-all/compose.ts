import { spawnSync } from 'node:child_process';
import { freePorts } from '@frontdesk/local-stack';
import { runToEnd } from '../processes.ts';
import type { TestCounts } from '../test/count-tests.ts';
import { runTests } from '../test/run-tests.ts';

/** Its own project, so that it can run beside another system. */
const PROJECT = 'frontdesk-test';
/** They test a running system from outside. */
const TESTS = ['tests/e2e/journey.test.ts', 'tests/e2e/calls.test.ts', 'tests/compose'];
const HEALTHY_WITHIN_SECONDS = '600';

/** Builds the images, brings the system up, seeds the demo, tries it from outside and takes it down again. */
export async function testCompose(args: readonly string[]): Promise<TestCounts> {
  const [port, settingsPort] = await freePorts(2);
  const env = {
    ...process.env,
    COMPOSE_PROJECT_NAME: PROJECT,
    PORT: String(port),
    SETTINGS_PORT: String(settingsPort),
    // The receiver of the tests listens on this machine, without TLS.
    ALLOW_HTTP_ENDPOINTS: 'true',
    ALLOW_PRIVATE_ENDPOINTS: 'true',
  };
  const compose = async (...words: string[]) => {
    const { code } = await runToEnd('docker', ['compose', ...words], { env, stdio: 'inherit' });
    if (code !== 0) throw new Error(`docker compose ${words.join(' ')} ended with ${code}.`);
  };
  try {
    await compose('--profile', 'observability', 'config', '--quiet');
    await compose('up', '--build', '--detach', '--wait', '--wait-timeout', HEALTHY_WITHIN_SECONDS);
    await compose('run', '--rm', '-T', '--build', 'demo');
    // One file after the other: one of them replaces passwords that another uses.
    return await runTests(['--maxWorkers=1', ...TESTS, ...args], {
      ...env,
      FRONTDESK_E2E_URL: `http://127.0.0.1:${port}`,
      FRONTDESK_E2E_ADMIN: 'docker compose run --rm -T admin',
      FRONTDESK_E2E_RECEIVER_HOST: hostSeenFrom(`${PROJECT}_webhooks-out`),
    });
  } finally {
    await compose('down', '--volumes', '--remove-orphans', '--timeout', '30');
  }
}

/** Where containers of a network reach this machine. */
function hostSeenFrom(network: string): string {
  if (process.platform !== 'linux') return 'host.docker.internal';
  const format = '{{(index .IPAM.Config 0).Gateway}}';
  const { stdout } = spawnSync('docker', ['network', 'inspect', network, '--format', format], {
    encoding: 'utf8',
  });
  return stdout.trim();
}
