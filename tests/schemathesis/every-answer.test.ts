import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_KEY_SCOPES, HOLD_SECONDS } from '@frontdesk/contracts';
import { apiClient } from '../e2e/support/api.ts';
import { bookingOf, createBusiness, createCustomer, freeSlots } from '../e2e/support/business.ts';
import { createCallSource, endedCall, sendCall } from '../e2e/support/calls.ts';
import { runCommand } from '../e2e/support/command.ts';
import { type LocalSystem, startLocalSystem } from '../e2e/support/local-system.ts';
import { targetOf } from '../e2e/support/target.ts';
import { eventually } from '../support/eventually.ts';
import { PATIENT_REDIS } from '../support/patient-env.ts';
import { forgetRateLimit } from './forget-rate-limit.ts';

/** Of the generated requests; those of examples and of every boundary come first and take seconds. */
const SECONDS = process.env.SCHEMATHESIS_SECONDS ?? '150';

/** Each ends in one way: so many can be booked or given back. */
const HOLDS = 8;

let system: LocalSystem;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'frontdesk-schemathesis-'));
  system = await startLocalSystem({ TRUSTED_PROXIES: '127.0.0.1', ...PATIENT_REDIS });
});
afterAll(async () => {
  await system?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** A business that has records of every kind, and a key that opens all of them. */
async function furnishedBusiness() {
  const target = targetOf(system);
  const business = await createBusiness(target, 'Described');
  const { api, serviceId, tenant } = business;
  const customer = await createCustomer(api, 'Kim', '+49 30 901820');
  const [slot, ...others] = await freeSlots(business, 1);
  if (!slot) throw new Error('There is no free slot.');
  await eventually(async () => {
    const booked = await api('POST', '/appointments', { body: bookingOf(slot, customer.id, serviceId) });
    expect(booked.status).toBe(201);
  });
  await sendCall(target, await createCallSource(target, tenant.id), endedCall());
  await eventually(async () => expect((await api<object[]>('GET', '/calls')).data()).not.toEqual([]));
  const words = [
    'key',
    'create',
    '--tenant',
    String(tenant.id),
    '--name',
    'all',
    '--scopes',
    ...ALL_KEY_SCOPES,
  ];
  const { key } = await target.operator.json<{ key: string }>(words);
  const endpoint = { url: 'https://hooks.example.com', events: ['customer.created'] };
  const added = await apiClient(system.urls.gateway, key)('POST', '/webhooks', { body: endpoint });
  expect(added.status).toBe(201);
  const holds: number[] = [];
  // Of one person, so far apart that none is in the way of another.
  const apart = others.filter(({ staff_id, time }) => staff_id === slot.staff_id && time.endsWith(':00'));
  for (const other of apart.slice(0, HOLDS)) {
    const { customer_id: _nobody, ...place } = bookingOf(other, customer.id, serviceId);
    const held = await api<{ id: number }>('POST', '/holds', {
      body: { ...place, seconds: HOLD_SECONDS.most },
    });
    holds.push(held.data().id);
  }
  return { tenant, key, holds };
}

it('whatever is sent, the answer is one that /openapi.json describes', async () => {
  const { tenant, key, holds } = await furnishedBusiness();
  const stopForgetting = await forgetRateLimit(system, tenant.id);
  try {
    const { code, output } = await trySchemathesis(key, holds);
    process.stderr.write(output);
    expect(code).toBe(0);
  } finally {
    await stopForgetting();
  }
});

async function trySchemathesis(
  key: string,
  holds: readonly number[],
): Promise<{ code: number | null; output: string }> {
  const { SCHEMATHESIS = '', SCHEMATHESIS_SEED, PATH } = process.env;
  const { code, stdout, stderr } = await runCommand(
    [
      ...[SCHEMATHESIS, '--config-file', join(import.meta.dirname, 'schemathesis.toml')],
      ...['run', `${system.urls.gateway}/openapi.json`, '--header', `Authorization: Bearer ${key}`],
      ...['--phases', 'examples,coverage,fuzzing,stateful', '--max-time', SECONDS, '--no-color'],
      ...(SCHEMATHESIS_SEED ? ['--seed', SCHEMATHESIS_SEED] : []),
    ],
    {
      env: {
        PATH,
        SCHEMATHESIS_HOOKS: 'hooks',
        HOLDS: holds.join(' '),
        PYTHONPATH: import.meta.dirname,
        PYTHONDONTWRITEBYTECODE: '1',
      },
      cwd: directory,
    },
  );
  return { code, output: `${stdout}\n${stderr}\n` };
}
