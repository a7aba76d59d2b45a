import { setTimeout as wait } from 'node:timers/promises';
import { wallMs } from '../support/wall-clock.ts';
import type { Arrival } from './receiver.ts';
import { appointmentsOf, type Stack, subscribe } from './stack.ts';

const ROUNDS = 3;
const TENANT = 301;
const ENDPOINTS = 20;
const EVENTS = 100;
/** So long that there is always something in mid-delivery. */
const HOLD_MS = 250;
const KILLED_AFTER = 800;
const RECEIVED_WITHIN_MS = 90_000;
const POLL_MS = 100;
const TARGET_SECONDS = 3;

/** kill -9 in mid-delivery and a start at once: when what it held goes on, what comes twice, whether anything is lost. */
export async function measureKill(stack: Stack, resources: AsyncDisposableStack): Promise<void> {
  const signer = await stack.environment.signer('operator');
  let service = await stack.startWebhooks(resources);
  for (let n = 1; n <= ENDPOINTS; n += 1)
    await subscribe(service, signer, TENANT, stack.receiver.url(`/${TENANT}/${n}`));

  for (let round = 0; round < ROUNDS; round += 1) {
    await stack.receiver.reset({ holdMs: HOLD_MS, keepsArrivals: true });
    await stack.publish(appointmentsOf(TENANT, EVENTS, 1 + round * EVENTS));
    await stack.receiver.until(KILLED_AFTER, RECEIVED_WITHIN_MS);
    const killedAtMs = wallMs();
    await service.kill();
    service = await stack.startWebhooks(resources);
    const liveAtMs = wallMs();
    await untilComplete(stack, killedAtMs);
    // What is doubled beyond need comes soon after.
    await wait(4 * HOLD_MS);
    print(await stack.receiver.arrivals(), killedAtMs, liveAtMs);
  }
}

/** Until every delivery has come in, and what the kill interrupted once more. */
async function untilComplete({ receiver }: Stack, killedAtMs: number): Promise<void> {
  const deadline = performance.now() + RECEIVED_WITHIN_MS;
  while (performance.now() < deadline) {
    const arrivals = await receiver.arrivals();
    const { waiting } = heldAt(arrivals, killedAtMs);
    const distinct = new Set(arrivals.map(({ delivery }) => delivery)).size;
    if (waiting === 0 && distinct === ENDPOINTS * EVENTS) return;
    await wait(POLL_MS);
  }
}

/** Deliveries whose answer the kill cut off: after how many seconds each came again, and how many have not yet. */
function heldAt(arrivals: Arrival[], killedAtMs: number) {
  const held = new Set(arrivals.filter(({ isInterrupted }) => isInterrupted).map(({ delivery }) => delivery));
  const again = new Map<string, number>();
  for (const { delivery, atMs, isInterrupted } of arrivals)
    if (held.has(delivery) && !isInterrupted && !again.has(delivery))
      again.set(delivery, (atMs - killedAtMs) / 1_000);
  const seconds = [...again.values()].sort((a, b) => a - b);
  return { held: held.size, seconds, waiting: held.size - seconds.length };
}

function print(arrivals: Arrival[], killedAtMs: number, liveAtMs: number): void {
  const { held, seconds, waiting } = heldAt(arrivals, killedAtMs);
  const distinct = new Set(arrivals.map(({ delivery }) => delivery)).size;
  const after = (ms = Number.NaN) => ((ms - killedAtMs) / 1_000).toFixed(1);
  // What the killed process had sent may be read a moment after its end.
  const next = arrivals.find(({ atMs, isInterrupted }) => atMs > liveAtMs && !isInterrupted)?.atMs;
  console.log(
    `after a kill -9 the new process is live in ${after(liveAtMs)} s and delivers in ${after(next)} s; ` +
      `the ${held} held go on after ${seconds[0]?.toFixed(1)} to ${seconds.at(-1)?.toFixed(1)} s (target ${TARGET_SECONDS})\n` +
      `  ${arrivals.length - distinct} duplicates, ${ENDPOINTS * EVENTS - distinct} of ${ENDPOINTS * EVENTS} lost, ${waiting} held for ever`,
  );
}
