import { setTimeout as wait } from 'node:timers/promises';
import { startDnsServer } from '../../tests/support/dns-server.ts';
import { sendAll } from '../support/load.ts';
import { memoryOf } from '../support/process-memory.ts';
import { appointmentsOf, type Stack, subscribe } from './stack.ts';

const TENANTS = 200;
const ENDPOINTS_PER_TENANT = 50;
const ENDPOINTS = TENANTS * ENDPOINTS_PER_TENANT;
const FIRST_TENANT = 1_001;
const ROUNDS = 2;
const NAME_TTL_SECONDS = 60;
const RECEIVED_WITHIN_MS = 120_000;
/** Longer than a connection is kept. */
const REST_MS = 16_000;
const TARGET_MB = 200;

/** What 10,000 endpoints of distinct origins leave behind in the service: under load, and at rest afterwards. */
export async function measureMemory(stack: Stack, resources: AsyncDisposableStack): Promise<void> {
  const names = await startDnsServer();
  resources.defer(names.close);
  const service = await stack.startWebhooks(resources, { DNS_SERVERS: names.address });
  const print = (when: string) => {
    const { residentMb, peakMb, open } = memoryOf(service.pid);
    console.log(
      `${when.padEnd(44)} ${residentMb} MB, at most ${peakMb} MB (target ${TARGET_MB}), ${open} sockets and files`,
    );
  };
  await wait(REST_MS);
  print('at rest, after the start');

  const signer = await stack.environment.signer('operator');
  await sendAll(ENDPOINTS, 8, async (n) => {
    const name = `receiver-${n}.bench.test`;
    names.answer(name, () => ['127.0.0.1'], NAME_TTL_SECONDS);
    const tenantId = FIRST_TENANT + (n % TENANTS);
    await subscribe(service, signer, tenantId, `http://${name}:${stack.receiver.port}/`);
  });
  print(`${ENDPOINTS} endpoints made`);

  for (let round = 1; round <= ROUNDS; round += 1) {
    await stack.receiver.reset();
    await stack.publish(
      Array.from({ length: TENANTS }, (_, n) => appointmentsOf(FIRST_TENANT + n, 1, round)).flat(),
    );
    await stack.receiver.until(ENDPOINTS, RECEIVED_WITHIN_MS);
    print(`each origin has received ${round}`);
    await wait(REST_MS);
    print('  at rest');
  }
}
