import { CALL_PROVIDERS, type Call } from '@frontdesk/contracts';
import { eventually } from '../../../support/index.ts';
import { type CallsWorld, type Source, startCalls } from '../calls-world.ts';
import { genericCall } from '../sample-calls.ts';
import { genericMessage } from '../signed-messages.ts';

describe('POST /call-sources/{id}/test-call', () => {
  let calls: CallsWorld;
  let tenant: number;
  beforeAll(async () => {
    calls = await startCalls();
  });
  beforeEach(() => {
    tenant = calls.newTenant();
    calls.crm.set('up');
  });
  afterAll(() => calls.stop());

  const make = (source: Source, body: object = {}, tenantId = source.tenantId) =>
    calls.admin('POST', `/internal/tenants/${tenantId}/call-sources/${source.id}/test-call`, body);
  /** Everything that a call leaves behind. */
  const leftBehind = async (source: Source) => [
    await calls.messages(source.tenantId),
    (await calls.list(source.tenantId)).data,
    await calls.eventTypes(source.tenantId),
    (await calls.admin('GET', `/internal/tenants/${source.tenantId}/call-sources/${source.id}`)).body.data
      .last_message_at,
  ];

  it.each(CALL_PROVIDERS)('of %s: says what a message would come to, and keeps nothing', async (provider) => {
    const source = await calls.newSource(tenant, provider);
    const customer = calls.crm.addCustomer(tenant, '+4930901820');
    const { status, body } = await make(source, { from_number: '030 901820' });
    expect([status, body.errors]).toEqual([200, undefined]);
    expect(body.data).toMatchObject({
      call: { direction: 'inbound', from_number: '030 901820', duration: 90, missed: false },
      customer: 'known',
      customer_id: customer,
      creates_lead: false,
      message_id: null,
    });
    expect(await leftBehind(source)).toEqual([[], [], [], null]);
  });

  it('takes the sentiment from the words where the source wants that', async () => {
    const source = await calls.newSource(tenant);
    const silent = await calls.newSource(tenant, 'generic', { settings: { classifies_sentiment: false } });
    const sentiments = [(await make(source)).body.data.call, (await make(silent)).body.data.call];
    expect(sentiments.map(({ sentiment, sentiment_source }) => [sentiment, sentiment_source])).toEqual([
      ['positive', 'lexicon'],
      [null, null],
    ]);
  });

  it.each([
    ['a hidden number', {}, 'hidden'],
    ['an empty one', { from_number: ' ' }, 'hidden'],
    ['a stranger', { from_number: '+4930901821' }, 'unknown'],
  ])('%s is nobody, and nobody is made', async (_name, body, customer) => {
    const source = await calls.newSource(tenant, 'generic', { settings: { creates_leads: true } });
    const { data } = (await make(source, body)).body;
    const creates_lead = customer === 'unknown';
    expect(data).toMatchObject({ customer, customer_id: null, creates_lead });
    expect(calls.crm.asked.filter(({ tenantId, create }) => tenantId === tenant && create)).toEqual([]);
  });

  it('says so where crm can’t be asked', async () => {
    const source = await calls.newSource(tenant);
    calls.crm.set('away');
    const { status, body } = await make(source, { from_number: '+4930901822' });
    expect([status, body.data.customer, body.data.customer_id]).toEqual([200, 'unavailable', null]);
  });

  it('a real one becomes a call, marked as a test, linked and announced', async () => {
    const source = await calls.newSource(tenant);
    const customer = calls.crm.addCustomer(tenant, '+4930901823');
    const { data } = (await make(source, { from_number: '+4930901823', is_real: true })).body;
    expect(await calls.settled(tenant)).toMatchObject([
      { id: data.message_id, status: 'applied', is_test: true },
    ]);
    await eventually(async () =>
      expect(await calls.events(tenant)).toMatchObject([{ type: 'call.ended', data: { test: true } }]),
    );
    const [listed] = (await calls.list(tenant)).data;
    expect(listed.test).toBe(true);
    expect(await calls.callOf(tenant, listed.id)).toMatchObject({
      test: true,
      provider_call_id: expect.stringMatching(/^test-/),
      summary: expect.stringMatching(/^A test /),
      customer_id: customer,
    });
  });

  it('a real one is no call that counts: the statistics and the source’s last message leave it out', async () => {
    const source = await calls.newSource(tenant);
    await make(source, { is_real: true });
    const now = Date.now();
    const [began, ended] = [now - 60_000, now].map((at) => new Date(at).toISOString());
    await calls.settled(tenant);
    const sourceNow = () => calls.admin('GET', `/internal/tenants/${tenant}/call-sources/${source.id}`);
    const { data: tested } = (await sourceNow()).body;
    expect(tested).toMatchObject({ last_message_at: null, last_test_at: expect.any(String) });
    await calls.ingest(source, genericMessage(genericCall({ started_at: began, ended_at: ended }), source));
    expect(await calls.settled(tenant)).toMatchObject([{ is_test: false }, { is_test: true }]);
    const { data } = (await calls.admin('GET', `/internal/tenants/${tenant}/statistics/calls`)).body;
    const countOf = (counts: { calls: number }[]) => counts.reduce((sum, { calls: of }) => sum + of, 0);
    expect(countOf(data.days)).toBe(1);
    const { body, headers } = await sourceNow();
    // Neither is a change of the source.
    expect([body.data.last_message_at, headers.etag]).toEqual([expect.any(String), '"1"']);
    const listed = (await calls.list(tenant)).data;
    expect(listed.map((call: Call) => 'test' in call).sort()).toEqual([false, true]);
  });

  it('a real one makes no customer of a stranger, wherever others do', async () => {
    const leads = await calls.newSource(tenant, 'generic', { settings: { creates_leads: true } });
    await make(leads, { from_number: '+4930901824', is_real: true });
    await calls.settled(tenant);
    await eventually(async () => expect(await calls.eventTypes(tenant)).toEqual(['call.ended']));
    expect((await calls.list(tenant)).data).toMatchObject([{ customer_id: null, test: true }]);
    expect(calls.crm.asked.filter((asked) => asked.tenantId === tenant && asked.create)).toEqual([]);
  });

  it('422: a real one needs a source that takes calls in', async () => {
    const leads = await calls.newSource(tenant);
    await calls.admin('PATCH', `/internal/tenants/${tenant}/call-sources/${leads.id}`, { is_active: false });
    const paused = await make(leads, { is_real: true });
    expect([paused.status, paused.body.errors]).toEqual([422, { is_real: expect.any(Array) }]);
    expect((await leftBehind(leads)).slice(0, 3)).toEqual([[], [], []]);
  });

  it('403: of a suspended business, for which nothing is changed or tried', async () => {
    const source = await calls.newSource(calls.newTenant({ status: 'suspended' }));
    for (const is_real of [true, false]) {
      const refused = await make(source, { is_real });
      expect([refused.status, refused.body.code]).toEqual([403, 'tenant_suspended']);
    }
    expect((await leftBehind(source)).slice(0, 3)).toEqual([[], [], []]);
  });

  it('422: what is no phone number', async () => {
    const source = await calls.newSource(tenant);
    for (const from_number of ['hello', '12', 'x'.repeat(41)])
      expect((await make(source, { from_number })).body.errors).toHaveProperty('from_number');
  });

  it('404: a source of another tenant, or none', async () => {
    const source = await calls.newSource(tenant);
    const other = await make(source, {}, calls.newTenant());
    expect([other.status, other.body.message]).toEqual([404, 'Call source not found.']);
    expect((await make({ ...source, id: 2 ** 40 })).status).toBe(404);
  });
});
