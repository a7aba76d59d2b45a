import type { HttpComponent } from '@frontdesk/service';
import { eventually, removeTopics } from '../../../support/index.ts';
import { type CrmWorld, startCrm } from '../../crm/crm-world.ts';
import { type CallsWorld, type Source, startCalls } from '../calls-world.ts';
import { genericCall } from '../sample-calls.ts';
import { genericMessage } from '../signed-messages.ts';

/** Both as they run, on one Kafka. */
describe('calls beside the crm', () => {
  let crm: CrmWorld;
  let calls: CallsWorld;
  let tenant: number;
  beforeAll(async () => {
    crm = await startCrm({ isWhole: true });
    const internal = crm.service.components.find(({ name }) => name === 'internal') as HttpComponent;
    calls = await startCalls({
      isWhole: true,
      env: { CRM_INTERNAL_URL: internal.url(), KAFKA_PREFIX: crm.config.KAFKA_PREFIX },
    });
  });
  beforeEach(() => {
    tenant = crm.newTenant();
    calls.newTenant({ id: tenant });
  });
  afterAll(async () => {
    await calls.stop();
    await crm.stop();
    await removeTopics(crm.config.KAFKA_PREFIX);
  });

  const newSource = (creates_leads: boolean) =>
    calls.newSource(tenant, 'generic', { settings: { creates_leads } });
  const ingest = (source: Source, from_number: string) =>
    calls.ingest(source, genericMessage(genericCall({ from_number }), source));
  const customers = async () => (await crm.api(tenant, 'GET', '/api/v1/customers')).body.data;
  const customerIds = async () =>
    (await calls.list(tenant, { per_page: '100' })).data.map(
      ({ customer_id }: { customer_id: number }) => customer_id,
    );

  it('20 calls of one unknown number at once make one lead, and all are linked to it', async () => {
    const source = await newSource(true);
    const ways = ['+49 30 23125 200', '030 23125200', '0049 30 23125-200', '+493023125200'];
    await Promise.all(Array.from({ length: 20 }, (_, n) => ingest(source, ways[n % ways.length] ?? '')));
    await calls.settled(tenant);
    const all = await customers();
    expect(all).toEqual([
      expect.objectContaining({ segment: 'lead', source: 'call', phone: '+493023125200' }),
    ]);
    expect(await customerIds()).toEqual(Array(20).fill(all[0].id));
    expect(await calls.eventTypes(tenant)).toEqual(Array(20).fill('call.ended'));
  });

  it('a customer who was there before is known by their number', async () => {
    const body = { name: 'Anna Weber', phone: '030 23125 201' };
    const { id } = (await crm.api(tenant, 'POST', '/api/v1/customers', body)).body.data;
    await ingest(await newSource(true), '+493023125201');
    await calls.settled(tenant);
    expect(await customerIds()).toEqual([id]);
    expect(await customers()).toHaveLength(1);
  });

  it('a customer who is created after the call is linked to it when crm’s event comes', async () => {
    await ingest(await newSource(false), '+493023125202');
    await calls.settled(tenant);
    expect(await customerIds()).toEqual([null]);
    expect(await customers()).toEqual([]);
    const body = { name: 'Bernd', phone: '030 23125 202' };
    const { id } = (await crm.api(tenant, 'POST', '/api/v1/customers', body)).body.data;
    await eventually(async () => expect(await customerIds()).toEqual([id]));
    await eventually(async () =>
      expect(await calls.eventTypes(tenant)).toEqual(['call.ended', 'call.updated']),
    );
  });

  it('after a customer’s number was changed, calls from the new one are theirs and from the old one are not', async () => {
    const body = { name: 'Anna Weber', phone: '030 23125 203' };
    const { id } = (await crm.api(tenant, 'POST', '/api/v1/customers', body)).body.data;
    const source = await newSource(false);
    await ingest(source, '+493023125203');
    await calls.settled(tenant);
    expect(await customerIds()).toEqual([id]);
    const changed = await crm.send(
      'internal',
      { issuer: 'settings-ui', role: 'admin', tenantId: tenant },
      {
        method: 'PATCH',
        url: `/internal/tenants/${tenant}/customers/${id}`,
        body: { phone: '030 23125 204' },
      },
    );
    expect(changed.status).toBe(200);
    await ingest(source, '+493023125204');
    await eventually(async () =>
      expect((await customerIds()).filter((one: number) => one === id)).toHaveLength(2),
    );
    await calls.settled(tenant);
    // Calls knows of the change once its event has come; until then the old number is still theirs.
    await eventually(async () => {
      await ingest(source, '+493023125203');
      await calls.settled(tenant);
      expect(await customerIds()).toContain(null);
    });
  });
});
