import { setTimeout as wait } from 'node:timers/promises';
import { type Hostility, startHostileReceiver } from '../../tests/integration/webhooks/hostile-receivers.ts';
import { quantile } from '../support/load.ts';
import { wallMs } from '../support/wall-clock.ts';
import { receivedAfter } from './received-after.ts';
import { appointmentsOf, type Stack, subscribe } from './stack.ts';

const ROUNDS = 3;
const EVENTS_PER_SECOND = 50;
const EVENTS = 1_500;
const HOSTILITIES: Hostility[] = ['hang', 'reset', 'drip', 'flood'];
const EVENTS_FOR_EACH = 500;
const BACKLOG = 100_000;
const PUBLISHED_AT_ONCE = 2_000;
/** By when the backlog has been taken in. */
const TAKEN_IN_MS = 25_000;
const NEIGHBOUR = 501;
const BACKLOGGED = 502;
const FIRST_HOSTILE = 503;
const TARGET = 1.5;

/** The p99 of an endpoint that is well, alone and beside five of other tenants that are not. */
export async function measureNeighbour(stack: Stack, resources: AsyncDisposableStack): Promise<void> {
  const service = await stack.startWebhooks(resources);
  const signer = await stack.environment.signer('operator');
  await subscribe(service, signer, NEIGHBOUR, stack.receiver.url(`/${NEIGHBOUR}`));
  let lastId = 0;
  const p99 = async () => {
    const latencies = await receivedAfter(
      stack.receiver,
      { perSecond: EVENTS_PER_SECOND, count: EVENTS },
      async () => {
        lastId += 1;
        const begun = { recordId: lastId, beganMs: wallMs() };
        await stack.publish(appointmentsOf(NEIGHBOUR, 1, begun.recordId));
        return begun;
      },
    );
    return quantile(latencies, 0.99);
  };
  const rounds = async () => {
    const measured: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) measured.push(await p99());
    return measured.sort((a, b) => a - b);
  };
  const addHostile = async (tenantId: number, hostility: Hostility) => {
    const receiver = await startHostileReceiver(hostility);
    resources.defer(receiver.close);
    await subscribe(service, signer, tenantId, receiver.url);
  };

  // The first one warms up.
  await p99();
  const alone = await rounds();
  await addHostile(BACKLOGGED, 'hang');
  for (let first = 1; first <= BACKLOG; first += PUBLISHED_AT_ONCE)
    await stack.publish(appointmentsOf(BACKLOGGED, PUBLISHED_AT_ONCE, first));
  for (const [nth, hostility] of HOSTILITIES.entries()) {
    await addHostile(FIRST_HOSTILE + nth, hostility);
    await stack.publish(appointmentsOf(FIRST_HOSTILE + nth, EVENTS_FOR_EACH));
  }
  await wait(TAKEN_IN_MS);
  const beside = await rounds();
  const listed = (values: number[]) => values.map((ms) => ms.toFixed(1)).join(', ');
  console.log(
    `p99 of a neighbour: ${(quantile(beside, 0.5) / quantile(alone, 0.5)).toFixed(1)} times its own ` +
      `beside endpoints that hang, reset, drip, flood, and hang with ${BACKLOG} waiting (target ${TARGET})\n` +
      `  alone ${listed(alone)} ms, beside them ${listed(beside)} ms, at ${EVENTS_PER_SECOND}/s`,
  );
}
