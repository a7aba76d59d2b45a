import { startCalls } from '../calls/calls-world.ts';
import { genericCall } from '../calls/sample-calls.ts';
import { genericMessage } from '../calls/signed-messages.ts';
import type { Browser } from './inject-browser.ts';
import { LOCAL, startSettingsWorld } from './settings-world.ts';

export const CALLS = '/settings/calls';
export const SOURCES = `${CALLS}/sources`;

/** Settings over a real calls service. */
export async function startCallsSettings(
  options?: Parameters<typeof startCalls>[0],
  { hasEvents = false } = {},
) {
  const calls = await startCalls(options);
  const CALLS_INTERNAL_URL = await calls.service.internal.listen(LOCAL);
  const world = await startSettingsWorld({ hasEvents, beside: async () => ({ CALLS_INTERNAL_URL }) });
  return {
    ...world,
    calls,
    /** A business whose admin is signed in. */
    async newBusiness() {
      const { tenantId, browser } = await world.signedIn();
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

type CallsSettings = Awaited<ReturnType<typeof startCallsSettings>>;

/** A new source, and where its messages go. */
export const addSource = async (browser: Browser, fields: object = {}) => {
  const body = { provider: 'generic', name: 'Main line', ...fields };
  const answer = await browser.json('POST', `${CALLS}/sources`, body);
  expect([answer.status, answer.body.errors]).toEqual([201, undefined]);
  const { id, ingest_url, secret } = answer.body.data;
  const { pathname } = new URL(ingest_url);
  return { id, secret, url: ingest_url, path: pathname, href: `${CALLS}/sources/${id}` };
};

export const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** A business with a source, and what sends calls to it, the ids of which it knows by their provider's. */
export async function newPhone(world: CallsSettings) {
  const { tenantId, browser } = await world.newBusiness();
  const source = await addSource(browser);
  const ring = async (fields: { seconds?: number; minutes?: number; [field: string]: unknown } = {}) => {
    const { seconds = 120, minutes = 60, ...rest } = fields;
    const [started_at, ended_at] = [minutesAgo(minutes), minutesAgo(minutes - seconds / 60)];
    const call = genericCall({ started_at, ended_at, ...rest });
    await world.calls.ingest(source, genericMessage(call, source));
    await world.calls.settled(tenantId);
    const { body } = await browser.json('GET', CALLS);
    const views = await Promise.all(
      body.data.map(({ id }: { id: number }) => browser.json('GET', `${CALLS}/${id}`)),
    );
    const found = views.find((view) => view.body.data.provider_call_id === call.provider_call_id);
    return found?.body.data.id as number;
  };
  return { tenantId, browser, source, ring };
}

/** The calls that a page lists. */
export const linksIn = (page: string) =>
  [...page.matchAll(/<tr id="[a-z]+-(\d+)">/g)].map(([, id]) => Number(id));
