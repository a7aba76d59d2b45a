import { setTimeout as delay } from 'node:timers/promises';
import type { Call, CallListEntry, WebhookPayload } from '@frontdesk/contracts';
import { eventually, startReceiver } from '../support/index.ts';
import { type Business, createBusiness } from './support/business.ts';
import { type CallSource, createCallSource, endedCall, sendCall } from './support/calls.ts';
import { killAndAwaitReturn } from './support/kill.ts';
import { type LocalSystem, startLocalSystem } from './support/local-system.ts';
import { type Target, targetOf } from './support/target.ts';

/** Who is killed while each batch of messages is being sent. */
const VICTIMS = ['calls', 'crm', 'calls', 'gateway', 'webhooks', 'calls'];
const CALLS_PER_BATCH = 8;
const RETRY_MS = 200;
/** Ends only what is never taken. */
const PATIENCE_MS = 120_000;

describe('calls that come in while services are killed again and again', () => {
  let system: LocalSystem;
  let target: Target;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let business: Business;
  let source: CallSource;

  beforeAll(async () => {
    system = await startLocalSystem();
    target = targetOf(system);
    receiver = await startReceiver();
    business = await createBusiness(target, 'Salon Turbulence');
    source = await createCallSource(target, business.tenant.id);
    const words = `webhook create --tenant ${business.tenant.id} --url ${receiver.url} --events call.ended`;
    await target.operator.json(words.split(' '));
  });

  afterAll(async () => {
    await receiver?.close();
    await system?.stop();
  });

  /** As a provider does it: the same message again until it is taken. */
  async function sendUntilTaken(call: object): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const answer = await sendCall(target, source, call).catch(() => null);
      if (answer?.status === 202) return;
      if (answer && answer.status < 500) throw new Error(`refused: ${JSON.stringify(answer)}`);
      if (Date.now() > deadline) throw new Error(`not taken in time: ${JSON.stringify(answer)}`);
      await delay(RETRY_MS);
    }
  }

  it('are each recorded once, linked to one customer for each number, and announced', async () => {
    const numberOf = (nth: number) => `+49309018${String(nth % 5).padStart(2, '0')}`;
    const sent = VICTIMS.flatMap(() => Array.from({ length: CALLS_PER_BATCH }, () => endedCall()));
    const calls = sent.map((call, nth) => ({ ...call, from_number: numberOf(nth) }));
    for (const [round, victim] of VICTIMS.entries()) {
      const batch = calls.slice(round * CALLS_PER_BATCH, (round + 1) * CALLS_PER_BATCH);
      // Twice each, as providers do that heard no answer.
      const sending = [...batch, ...batch].map(sendUntilTaken);
      await Promise.race(sending);
      await killAndAwaitReturn(system, victim);
      await Promise.all(sending);
    }
    const wanted = calls.map(({ provider_call_id }) => provider_call_id).toSorted((a, b) => (a < b ? -1 : 1));

    const records = await eventually(async () => {
      const listed = (await business.api<CallListEntry[]>('GET', '/calls?per_page=100')).data();
      expect(listed).toHaveLength(calls.length);
      expect(listed.filter(({ customer_id }) => customer_id === null)).toEqual([]);
      return listed;
    });
    const customerOf = new Map(records.map(({ from_number, customer_id }) => [from_number, customer_id]));
    for (const { from_number, customer_id } of records) expect(customer_id).toBe(customerOf.get(from_number));
    expect(new Set(customerOf.values()).size).toBe(5);

    await eventually(() => {
      const received = new Map(
        receiver.requests.map(({ rawBody, headers }) => [headers['webhook-id'], rawBody]),
      );
      const ids = [...received.values()].map((body) => callIn(body).provider_call_id);
      // At least once, and under one id: call.ended is one event of each call.
      expect(ids.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(wanted);
    });
  });
});

const callIn = (rawBody: string) => (JSON.parse(rawBody) as WebhookPayload & { data: Call }).data;
