import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedDemo } from './seed/index.ts';
import { summaryOf } from './start/progress/summary.ts';

/**
 * The job that fills a system of containers with the demo businesses and prints an API key for each. It needs the keys
 * of two issuers, KEYS_DIRECTORY/<issuer>/<issuer>.json: the operator's, and the gateway's to write as integrators do.
 */
const ISSUERS = ['operator', 'gateway'];

const gateway = addressIn('GATEWAY_URL');
const keysDirectory = await mkdtemp(join(tmpdir(), 'keys-'));
try {
  await Promise.all(
    ISSUERS.map((issuer) =>
      symlink(
        join(process.env.KEYS_DIRECTORY ?? '/keys', issuer, `${issuer}.json`),
        join(keysDirectory, `${issuer}.json`),
      ),
    ),
  );
  const tenants = await seedDemo({
    urls: {
      gateway,
      gatewayInternal: addressIn('GATEWAY_INTERNAL_URL'),
      schedulingApi: addressIn('SCHEDULING_URL'),
      schedulingInternal: addressIn('SCHEDULING_INTERNAL_URL'),
      crmApi: addressIn('CRM_URL'),
      callsInternal: addressIn('CALLS_INTERNAL_URL'),
      settingsUiInternal: addressIn('SETTINGS_UI_INTERNAL_URL'),
    },
    keysDirectory,
    onProgress: console.log,
  });
  console.log(
    await summaryOf({
      gatewayUrl: gateway,
      publicUrl: process.env.PUBLIC_URL ?? gateway,
      settingsUrl: addressIn('SETTINGS_URL'),
      tenants,
    }),
  );
} finally {
  await rm(keysDirectory, { recursive: true });
}

function addressIn(name: string): string {
  const url = process.env[name];
  if (!url || !URL.canParse(url)) throw new Error(`${name} is missing or no URL.`);
  return url;
}
