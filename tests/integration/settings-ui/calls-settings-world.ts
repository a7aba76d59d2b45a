import type { App } from '@frontdesk/service';
import { startCalls } from '../calls/calls-world.ts';
import type { Browser } from './inject-browser.ts';
import { startSettingsWorld } from './settings-world.ts';

export const CALLS = '/settings/calls';
export const SOURCES = `${CALLS}/sources`;

const listening = (app: App) => app.listen({ host: '127.0.0.1', port: 0 });

/** Settings over a real calls service. */
export async function startCallsSettings(options?: Parameters<typeof startCalls>[0]) {
  const [world, calls] = await Promise.all([startSettingsWorld(), startCalls(options)]);
  const env = { CALLS_INTERNAL_URL: await listening(calls.service.internal) };
  const settings = await world.startSettings(env);
  return {
    ...world,
    on: settings,
    env,
    calls,
    /** A business whose admin is signed in. */
    async newBusiness() {
      const { tenantId, browser } = await world.signedIn({ on: settings });
      calls.newTenant({ id: tenantId });
      return { tenantId, browser };
    },
    async stop() {
      await world.stop();
      await calls.service.internal.close();
      await calls.stop();
    },
  };
}

/** A new source, and where its messages go. */
export const addSource = async (browser: Browser, fields: object = {}) => {
  const body = { provider: 'generic', name: 'Main line', ...fields };
  const answer = await browser.json('POST', `${CALLS}/sources`, body);
  expect([answer.status, answer.body.errors]).toEqual([201, undefined]);
  const { id, ingest_url, secret } = answer.body.data;
  const { pathname } = new URL(ingest_url);
  return { id, secret, url: ingest_url, path: pathname, href: `${CALLS}/sources/${id}` };
};
