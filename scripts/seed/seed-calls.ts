import { setTimeout as pause } from 'node:timers/promises';
import { callsRoutes } from '@frontdesk/contracts';
import { requestOf } from '@frontdesk/service';
import { request } from 'undici';
import { sign } from '../calls-replay/sign.ts';
import type { PlannedCall } from './calls/plan-calls.ts';
import type { SeedClients } from './clients.ts';

const SOURCE_NAME = 'Phone agent';
const READ_WITHIN_MS = 300_000;
const POLL_MS = 100;

/** A source of calls as `.local/demo.json` lists it. */
export interface DemoCallSource {
  id: number;
  ingest_url: string;
  secret: string;
}

/** The source of an earlier seed at its present address, since the ports may have moved; a demo without one gets one. */
export async function ensureCallSource(
  clients: SeedClients,
  tenantId: number,
  previous: DemoCallSource | undefined,
  plannedCalls: () => PlannedCall[],
): Promise<DemoCallSource> {
  const source = (await listSources(clients.calls, tenantId)).find(({ id }) => id === previous?.id);
  if (previous && source) return { ...previous, ingest_url: source.ingest_url };
  return seedCalls(clients, tenantId, { plannedCalls, isComplete: true });
}

/**
 * A source of the provider `generic` that all planned calls have come in by. One that is there is used on, under a new
 * secret, since the text of the first can't be read back. Calls of a seed that was cut off are sent again.
 */
export async function seedCalls(
  { calls, ingest }: SeedClients,
  tenantId: number,
  { plannedCalls, isComplete }: { plannedCalls: () => PlannedCall[]; isComplete: boolean },
): Promise<DemoCallSource> {
  const existing = (await listSources(calls, tenantId)).find(({ name }) => name === SOURCE_NAME);
  const source = await calls.request(
    existing
      ? requestOf(callsRoutes.rotateSecret, { tenantId, id: existing.id, body: {} })
      : requestOf(callsRoutes.createSource, { tenantId, body: { provider: 'generic', name: SOURCE_NAME } }),
  );
  if (!existing || !isComplete) {
    const url = new URL(new URL(source.ingest_url).pathname, ingest).href;
    for (const call of plannedCalls()) await postMessage(url, call, source.secret);
    await untilRead(calls, tenantId);
  }
  const { id, ingest_url, secret } = source;
  return { id, ingest_url, secret };
}

const listSources = (calls: SeedClients['calls'], tenantId: number) =>
  calls.request(requestOf(callsRoutes.listSources, { tenantId }));

/** What came in is read afterwards, by a worker: a demo is there when its calls are. */
async function untilRead(calls: SeedClients['calls'], tenantId: number): Promise<void> {
  const deadline = Date.now() + READ_WITHIN_MS;
  for (;;) {
    const query = { status: 'received', per_page: 1 };
    const unread = await calls.request(requestOf(callsRoutes.listMessages, { tenantId, query }));
    if (unread.length === 0) return;
    if (Date.now() > deadline) throw new Error(`Calls of tenant ${tenantId} wait to be read for too long.`);
    await pause(POLL_MS);
  }
}

/** Sends a message to a source of the provider `generic`. @throws where it isn't taken in */
async function postMessage(url: string, message: object, secret: string): Promise<void> {
  const unsigned = { body: Buffer.from(JSON.stringify(message)), contentType: 'application/json', url };
  const { headers, body } = sign('generic', unsigned, { secret, at: new Date() });
  const answer = await request(url, { method: 'POST', headers, body });
  const said = await answer.body.text();
  if (answer.statusCode !== 202) throw new Error(`A call was not taken in: ${answer.statusCode} ${said}`);
}
