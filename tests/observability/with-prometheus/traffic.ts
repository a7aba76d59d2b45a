import { Client } from 'pg';
import { stringify } from 'yaml';
import {
  type Business,
  bookingOf,
  createBusiness,
  createCustomer,
  DOCUMENT,
  freeSlots,
} from '../../e2e/support/business.ts';
import { createCallSource, endedCall, sendCall } from '../../e2e/support/calls.ts';
import { killAndAwaitReturn } from '../../e2e/support/kill.ts';
import type { LocalSystem } from '../../e2e/support/local-system.ts';
import { type Target, targetOf } from '../../e2e/support/target.ts';
import { eventually, type Receiver } from '../../support/index.ts';

/** One more than a minute allows an address. */
const FAILED_KEYS = 61;
/** One more than the plan starter has. */
const TOO_MANY_STAFF = 21;

/** Traffic of every kind, and faults of those kinds that a system can be brought to without harm. */
export async function makeTraffic(system: LocalSystem, receiver: Receiver): Promise<void> {
  const target = targetOf(system);
  const business = await createBusiness(target, 'Salon Watched');
  await bookAndDeliver(target, business, receiver);
  await sendCalls(target, business);
  // Before the faults that scheduling counts: with its process their series end.
  await measureAnew(system);
  await exceedQuota(target);
  for (let nth = 0; nth < FAILED_KEYS; nth += 1)
    await fetch(`${system.urls.gateway}/api/v1/customers`, {
      headers: { authorization: 'Bearer fd_live_no' },
    });
  await fetch(`${system.urls.gateway}/docs`);
  await fetch(`${system.urls.settingsUi}/settings/sign-in`);
  await bringToFail(system, business);
}

async function bookAndDeliver({ operator }: Target, business: Business, receiver: Receiver) {
  const { api, tenant, serviceId } = business;
  for (const path of ['taken', 'refused']) {
    const words = `webhook create --tenant ${tenant.id} --url ${receiver.url}/${path} --events appointment.created`;
    await operator.json(words.split(' '));
  }
  receiver.respondWith(({ path }) => ({ status: path === '/refused' ? 500 : 200 }));
  const customer = await createCustomer(api, 'Kim', '+49 30 901820');
  const [slot] = await freeSlots(business, 1);
  if (!slot) throw new Error('There is no free slot.');
  await eventually(async () => {
    const booked = await api('POST', '/appointments', { body: bookingOf(slot, customer.id, serviceId) });
    expect(booked.status).toBe(201);
  });
  expect((await api('POST', '/appointments', { body: bookingOf(slot, customer.id, serviceId) })).status).toBe(
    409,
  );
  expect((await api('GET', '/appointments/999999')).status).toBe(404);
  await eventually(() => {
    const paths = receiver.requests.map(({ path }) => path);
    expect(new Set(paths)).toEqual(new Set(['/taken', '/refused']));
  });
}

async function sendCalls(target: Target, { api, tenant }: Business) {
  const source = await createCallSource(target, tenant.id);
  await sendCall(target, source, endedCall());
  await sendCall(target, source, { nothing: 'that an adapter knows' });
  await eventually(async () => expect((await api<object[]>('GET', '/calls')).data()).not.toEqual([]));
}

async function exceedQuota({ operator }: Target) {
  const profile = '--plan starter --timezone Europe/Berlin --currency EUR --country DE'.split(' ');
  const { id } = await operator.json<{ id: number }>(['tenant', 'create', '--name', 'Small', ...profile]);
  const staff = Array.from({ length: TOO_MANY_STAFF }, (_, nth) => ({
    ...DOCUMENT.staff[0],
    name: `Staff ${nth}`,
  }));
  const document = stringify({ ...DOCUMENT, staff }, { aliasDuplicateObjects: false });
  await eventually(async () => {
    const { stderr } = await operator.run(['business', 'import', '-', '--tenant', String(id)], document);
    expect(stderr).toContain('Your plan allows');
  });
}

/** While crm is away, the gateway and scheduling get no answers of it. */
async function bringToFail(system: LocalSystem, business: Business) {
  const { api, serviceId } = business;
  const slot = await eventually(async () => {
    const [free] = await freeSlots(business, 2);
    if (!free) throw new Error('There is no free slot.');
    return free;
  });
  const back = killAndAwaitReturn(system, 'crm');
  const ofUnknown = bookingOf(slot, 999_999, serviceId);
  const [atGateway, atScheduling] = await Promise.all([
    failing(() => api('GET', '/customers')),
    failing(() => api('POST', '/appointments', { body: ofUnknown })),
    back,
  ]);
  expect([atGateway, atScheduling]).toEqual([503, 503]);
}

/** Asks on until the answer is a failure of ours. */
const failing = (ask: () => Promise<{ status: number }>): Promise<number> =>
  eventually(async () => {
    const { status } = await ask();
    expect(status).toBeGreaterThanOrEqual(500);
    return status;
  });

/** Tenants' bytes are measured once a day, and have been, before there was any tenant. */
async function measureAnew(system: LocalSystem) {
  const url = Object.assign(new URL(system.engines.databaseUrl), { pathname: '/frontdesk_scheduling' });
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(`update stored_bytes_measurement set begun_at = now() - interval '2 days'`);
  } finally {
    await client.end();
  }
  await killAndAwaitReturn(system, 'scheduling');
}
