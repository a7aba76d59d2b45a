import { systemSql } from '@frontdesk/database';
import { eventually, uniqueTenantId } from '../../../support/index.ts';
import { type CallsWorld, startCalls } from '../calls-world.ts';
import { fakeCrm } from '../fake-crm.ts';
import { genericCall } from '../sample-calls.ts';
import { genericMessage } from '../signed-messages.ts';

const KNOWN = systemSql<{ e164: string; customer_id: number }, { tenantId: number }>(
  'test_known_numbers',
  'select e164, customer_id from customer_numbers where tenant_id = $tenantId order by e164',
);

let calls: CallsWorld;
afterEach(() => calls?.stop());

it('the snapshot says who has become part of whom: their numbers lead there, and calls from before are linked', async () => {
  const crm = fakeCrm();
  crm.set('away');
  calls = await startCalls({
    crm,
    workers: ['message reader', 'call linker', 'refill of customers', 'merged customers'],
  });
  const tenant = calls.newTenant();
  const source = await calls.newSource(tenant);
  const call = (from_number: string) => genericMessage(genericCall({ from_number }), source);
  const numbers = ['+4930232001', '+4930232002', '+4930232003'];
  for (const number of numbers) expect((await calls.ingest(source, call(number))).status).toBe(202);
  const kept = crm.addCustomer(tenant, '+4930232001');
  const merged = crm.addMerged(tenant, '+4930232002', kept);
  crm.addMerged(tenant, '+4930232003', merged);
  crm.set('up');
  await eventually(async () =>
    expect(
      (await calls.list(tenant)).data.map(({ customer_id }: { customer_id: number }) => customer_id),
    ).toEqual([kept, kept, kept]),
  );
});

it('customers that Kafka no longer has come from crm’s snapshot, and their calls are linked', async () => {
  const crm = fakeCrm();
  crm.set('away');
  // Known to crm, and to the gateway no more.
  const gone = uniqueTenantId();
  crm.addCustomer(gone, '+4930230000');
  calls = await startCalls({ crm, workers: ['message reader', 'call linker', 'refill of customers'] });
  const tenant = calls.newTenant();
  const ids = ['+4930231001', '+4930231002'].map((phone) => crm.addCustomer(tenant, phone));
  const source = await calls.newSource(tenant);
  const call = genericCall({ from_number: '+4930231002' });
  expect((await calls.ingest(source, genericMessage(call, source))).status).toBe(202);

  crm.set('up');
  await eventually(async () =>
    expect(await calls.database.system.many(KNOWN, { tenantId: tenant })).toEqual([
      { e164: '+4930231001', customer_id: ids[0] },
      { e164: '+4930231002', customer_id: ids[1] },
    ]),
  );
  await eventually(async () =>
    expect((await calls.list(tenant)).data).toMatchObject([{ customer_id: ids[1] }]),
  );
  expect(await calls.database.system.many(KNOWN, { tenantId: gone })).toEqual([]);
});
