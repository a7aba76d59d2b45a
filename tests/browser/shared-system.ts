import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { chromiumPath } from '../../scripts/bootstrap/chromium.js';
import { startLocalSystem } from '../e2e/support/local-system.ts';
import { PATIENT_PAGES, PATIENT_REDIS } from '../support/patient-env.ts';
import type { SharedSystem } from '../support/shared-system.ts';

/**
 * A process beside the run, which forks it: the real system and a real browser, started when the first test asks for them over
 * HTTP. It ends, and they with it, when its channel to the run closes, however that comes about.
 */
const started = new AsyncDisposableStack();
let starting: Promise<SharedSystem> | undefined;

async function start(): Promise<SharedSystem> {
  // Each page comes from an address of its own, as from the people that it stands for.
  const system = await startLocalSystem({ TRUSTED_PROXIES: '127.0.0.1', ...PATIENT_REDIS, ...PATIENT_PAGES });
  started.defer(() => system.stop());
  const browser = await chromium.launchServer({
    executablePath: chromiumPath(process.env) ?? 'chromium',
    // Chromium's own sandbox doesn't work for root, as whom containers and CI run.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  started.defer(() => browser.close());
  const { urls, portBase, keysDirectory } = system;
  return { urls, portBase, keysDirectory, browser: browser.wsEndpoint() };
}

async function stop(): Promise<void> {
  await starting?.catch(() => {});
  await started.disposeAsync();
  process.exit();
}

const server = createServer((_request, response) => {
  starting ??= start();
  starting.then(
    (system) => response.end(JSON.stringify(system)),
    (error) => response.writeHead(500).end(String(error)),
  );
});

process.once('disconnect', () => void stop());
// Ctrl-C in a terminal comes here too; what the run does of it decides.
process.on('SIGINT', () => {});

server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
