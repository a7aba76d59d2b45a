import { eventually } from '../../../support/index.ts';
import { type CallsWorld, type Source, startCalls } from '../calls-world.ts';
import { fakeCrm } from '../fake-crm.ts';
import { genericCall } from '../sample-calls.ts';
import { genericMessage } from '../signed-messages.ts';

const NUMBER = '+493023125001';

let calls: CallsWorld;
let tenant: number;
let source: Source;
afterEach(() => calls?.stop());

const start = async (options: Parameters<typeof startCalls>[0]) => {
  calls = await startCalls(options);
  tenant = calls.newTenant();
  source = await calls.newSource(tenant);
};
const ingest = async (from_number: string | null, to = source) => {
  const message = genericMessage(genericCall({ from_number }), to);
  expect((await calls.ingest(to, message)).status).toBe(202);
};
const announced = async (of = tenant) =>
  (await calls.events(of)).map(({ type, data }) => [type, data.customer_id]);
const announcedEventually = (events: unknown[], of = tenant) =>
  eventually(async () => expect(await announced(of)).toEqual(events));

it('call.ended waits for crm’s answer, however long that takes', async () => {
  await start({});
  const customer = calls.crm.addCustomer(tenant, NUMBER);
  calls.crm.set('hanging');
  await ingest(NUMBER);
  await eventually(() => expect(calls.crm.asked).toHaveLength(1));
  // Nothing else is held up by it, neither of other businesses nor of this one.
  await ingest(null);
  await announcedEventually([['call.ended', null]]);
  const other = await calls.newSource(calls.newTenant());
  await ingest(null, other);
  await announcedEventually([['call.ended', null]], other.tenantId);
  calls.crm.set('up');
  await announcedEventually([
    ['call.ended', null],
    ['call.ended', customer],
  ]);
});

it('a look-up that hangs is given up and tried again, and call.ended waits on', async () => {
  const crm = fakeCrm();
  crm.set('hanging');
  await start({ crm, workers: ['message reader'] });
  const customer = crm.addCustomer(tenant, NUMBER);
  await ingest(NUMBER);
  const impatient = await calls.startAnother(['call linker', 'announcer'], { SERVICE_TIMEOUT_MS: 50 });
  await eventually(async () => {
    await calls.makeLinksDue();
    expect(crm.asked.length).toBeGreaterThan(1);
  });
  await impatient.stop();
  expect(await announced()).toEqual([]);
  crm.set('up');
  const patient = await calls.startAnother(['call linker']);
  await calls.makeLinksDue();
  await announcedEventually([['call.ended', customer]]);
  await patient.stop();
});

it('call.ended waits LINK_WAIT_MS at most for a crm that is away: what it says later is call.updated', async () => {
  await start({ env: { LINK_WAIT_MS: '1' } });
  const customer = calls.crm.addCustomer(tenant, NUMBER);
  calls.crm.set('away');
  await ingest(NUMBER);
  await announcedEventually([['call.ended', null]]);
  calls.crm.set('up');
  await eventually(async () => {
    await calls.makeLinksDue();
    expect(await announced()).toEqual([
      ['call.ended', null],
      ['call.updated', customer],
    ]);
  });
});

it('call.ended waits LINK_WAIT_MS at most for a scheduling that is away: what it says later is call.updated', async () => {
  await start({ env: { LINK_WAIT_MS: '1' } });
  calls.scheduling.add(tenant, 17);
  calls.scheduling.set('away');
  await calls.ingest(source, genericMessage(genericCall({ from_number: null, appointment_id: 17 }), source));
  const told = async () => (await calls.events(tenant)).map(({ type, data }) => [type, data.appointment_id]);
  await eventually(async () => expect(await told()).toEqual([['call.ended', null]]));
  calls.scheduling.set('up');
  await eventually(async () => {
    await calls.makeChecksDue();
    expect(await told()).toEqual([
      ['call.ended', null],
      ['call.updated', 17],
    ]);
  });
});

it('call.ended of every call waits LINK_WAIT_MS at most where one look-up hangs', async () => {
  await start({ env: { LINK_WAIT_MS: '1' } });
  calls.crm.set('hanging');
  const numbers = Array.from({ length: 20 }, (_, n) => `+4930231253${10 + n}`);
  const customers = numbers.map((number) => calls.crm.addCustomer(tenant, number));
  for (const number of numbers) await ingest(number);
  await announcedEventually(Array(20).fill(['call.ended', null]));
  const other = await calls.newSource(calls.newTenant());
  await ingest(NUMBER, other);
  await announcedEventually([['call.ended', null]], other.tenantId);
  // Of a business one is asked for at a time: of the other one, whose call came last, while this one's others wait.
  await eventually(() =>
    expect(calls.crm.asked.map(({ tenantId }) => tenantId)).toEqual([tenant, other.tenantId]),
  );
  calls.crm.set('up');
  await eventually(async () => {
    const updated = (await announced()).slice(20).map(([type, id]) => `${type} ${id}`);
    expect(updated.toSorted()).toEqual(customers.map((id) => `call.updated ${id}`).toSorted());
  });
});
