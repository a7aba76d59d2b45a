import { setTimeout as wait } from 'node:timers/promises';
import type { DomainEvent } from '@frontdesk/contracts';
import type { ServiceProcess } from '../../tests/support/service-process.ts';
import type { PostJob } from '../support/bare-poster.ts';
import { type HelperProcess, startHelper } from '../support/helper-process.ts';
import { quantile } from '../support/load.ts';
import { cpuSecondsOfTree } from '../support/process-cpu.ts';
import { memoryOf } from '../support/process-memory.ts';
import { appointmentsOf, type Stack, subscribe } from './stack.ts';
import { countUsage, sumOf, type Usage } from './usage.ts';

const ROUNDS = 12;
/** As many connections as the service makes to one endpoint. */
const UNIT = { posts: 4_000, concurrency: 8 };
/** What is still to be written after the last delivery has come in belongs to the deliveries. */
const SETTLE_MS = 500;
const RECEIVED_WITHIN_MS = 120_000;
const CASES = [
  { name: 'to one endpoint', tenantId: 101, endpoints: 1, deliveries: 2_000, target: 6 },
  { name: 'at a fan-out of 50', tenantId: 102, endpoints: 50, deliveries: 5_000, target: 3.3 },
];

interface Round {
  unit: number;
  /** Per delivery. */
  stack: Usage;
  perSecond: number;
}

/** CPU of the service, PostgreSQL, Kafka and Redis per delivery, in units of a bare signed POST, in turns with it. */
export async function measureCpu(stack: Stack, resources: AsyncDisposableStack): Promise<void> {
  const service = await stack.startWebhooks(resources);
  const poster = await startHelper<PostJob>('bench/support/bare-poster.ts');
  resources.defer(poster.stop);
  const signer = await stack.environment.signer('operator');
  let nextId = 1;

  for (const subject of CASES) {
    const { tenantId, endpoints, deliveries } = subject;
    const urls = Array.from({ length: endpoints }, (_, n) => stack.receiver.url(`/${tenantId}/${n}`));
    const secrets: string[] = [];
    for (const url of urls) secrets.push(await subscribe(service, signer, tenantId, url));
    const event = appointmentsOf(tenantId, 1, nextId++);
    const job = { url: urls[0] ?? '', secret: secrets[0] ?? '', ...(await sentFor(event, endpoints, stack)) };

    const rounds: Round[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const events = appointmentsOf(tenantId, deliveries / endpoints, nextId);
      nextId += events.length;
      rounds.push({
        unit: await post(job, poster, stack),
        ...(await deliver(events, deliveries, service, stack)),
      });
    }
    // The first one warms up.
    print(subject, rounds.slice(1));
  }
  const { residentMb, peakMb } = memoryOf(service.pid);
  console.log(`memory under this load: ${residentMb} MB, at most ${peakMb} MB (target: under 200)`);
}

/** What the service sends for an event: the unit POSTs the same. */
async function sentFor(event: DomainEvent[], endpoints: number, { receiver, publish }: Stack) {
  await receiver.reset({ keepsArrivals: true });
  await publish(event);
  await receiver.until(endpoints, RECEIVED_WITHIN_MS);
  const body = await receiver.lastBody();
  return { body, id: (JSON.parse(body) as { id: string }).id };
}

/** @returns CPU seconds of a bare POST */
async function post(
  job: Omit<PostJob, 'count' | 'concurrency'>,
  poster: HelperProcess<PostJob>,
  { receiver }: Stack,
): Promise<number> {
  await receiver.reset();
  const before = cpuSecondsOfTree(poster.pid);
  await poster.ask({ ...job, count: UNIT.posts, concurrency: UNIT.concurrency });
  return (cpuSecondsOfTree(poster.pid) - before) / UNIT.posts;
}

async function deliver(
  events: DomainEvent[],
  deliveries: number,
  service: ServiceProcess,
  { environment, receiver, publish }: Stack,
): Promise<Omit<Round, 'unit'>> {
  await receiver.reset();
  const started = performance.now();
  const used = countUsage(environment, service);
  await publish(events);
  await receiver.until(deliveries, RECEIVED_WITHIN_MS);
  const seconds = (performance.now() - started) / 1_000;
  await wait(SETTLE_MS);
  return { stack: used(deliveries), perSecond: deliveries / seconds };
}

function print({ name, target }: { name: string; target: number }, rounds: Round[]): void {
  const middle = (of: (round: Round) => number, digits = 0) =>
    quantile(
      rounds.map(of).sort((a, b) => a - b),
      0.5,
    ).toFixed(digits);
  const ratio = ({ unit, stack }: Round) => sumOf(stack) / unit;
  const [least, most] = [Math.min(...rounds.map(ratio)), Math.max(...rounds.map(ratio))];
  const parts = Object.keys(rounds[0]?.stack ?? {}).map(
    (part) => `${part} ${middle(({ stack }) => (stack[part] ?? 0) * 1e6)}`,
  );
  console.log(
    `a delivery ${name}: ${middle(ratio, 1)} bare POSTs (${least.toFixed(1)} to ${most.toFixed(1)}, target ${target})\n` +
      `  µs of CPU: ${parts.join(', ')}, each with all its children; a bare POST ${middle(({ unit }) => unit * 1e6)}; ` +
      `${middle(({ perSecond }) => perSecond)} deliveries a second`,
  );
}
