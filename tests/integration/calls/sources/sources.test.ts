import { type CallsWorld, startCalls } from '../calls-world.ts';
import { genericCall } from '../sample-calls.ts';
import { genericMessage } from '../signed-messages.ts';

const hmac = (vapi: object) => ({
  provider: 'vapi',
  name: 'A',
  settings: { vapi: { scheme: 'hmac', ...vapi } },
});

describe('call sources', () => {
  let calls: CallsWorld;
  let tenant: number;
  let path: string;
  beforeAll(async () => {
    calls = await startCalls();
  });
  beforeEach(() => {
    tenant = calls.newTenant();
    path = `/internal/tenants/${tenant}/call-sources`;
  });
  afterAll(() => calls.stop());

  const create = (body: object, headers = {}) => calls.admin('POST', path, body, headers);

  it('201: answers the source with its address, and its secret this once', async () => {
    const answer = await create({ provider: 'generic', name: 'Front desk' });
    expect(answer.status).toBe(201);
    const { data } = answer.body;
    expect(answer.headers).toMatchObject({ etag: '"1"', location: `${path}/${data.id}` });
    expect(data).toEqual({
      id: expect.any(Number),
      provider: 'generic',
      name: 'Front desk',
      is_active: true,
      ingest_url: expect.stringMatching(/^https:\/\/desk\.example\.com\/ingest\/calls\/[0-9A-Za-z]{40}$/),
      secret: expect.stringMatching(/^whsec_[0-9A-Za-z+/]{43}=$/),
      secret_last_four: data.secret.slice(-4),
      settings: {
        creates_leads: false,
        classifies_sentiment: true,
        vapi: {
          scheme: 'bearer',
          signature_header: 'x-vapi-signature',
          timestamp_header: '',
          payload: '{body}',
        },
      },
      last_message_at: null,
      last_test_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const { secret: _, ...shown } = data;
    expect((await calls.admin('GET', `${path}/${data.id}`)).body.data).toEqual(shown);
    expect((await calls.admin('GET', path)).body.data).toEqual([shown]);
  });

  it('says to a service which tokens lead to a source that takes messages', async () => {
    const made = async () => (await create({ provider: 'generic', name: 'Phone' })).body.data;
    const [open, paused, deleted] = [await made(), await made(), await made()];
    await calls.admin('PATCH', `${path}/${paused.id}`, { is_active: false });
    await calls.admin('DELETE', `${path}/${deleted.id}`);
    const tokenOf = ({ ingest_url }: { ingest_url: string }) => ingest_url.split('/').at(-1) as string;
    const body = { tokens: [...[open, paused, deleted].map(tokenOf), 'a'.repeat(40)] };
    const url = '/internal/call-sources/find';
    const ask = (caller: Parameters<typeof calls.send>[1], more = {}) =>
      calls.send('internal', caller, { method: 'POST', url, body: { ...body, ...more } });
    const gateway = { issuer: 'gateway', role: 'service' } as const;
    expect((await ask(gateway)).body.data).toEqual([tokenOf(open)]);
    const owned = [{ token: tokenOf(open), tenant_id: tenant }];
    expect((await ask(gateway, { with_tenants: true })).body.data).toEqual(owned);
    expect((await ask({ issuer: 'settings-ui', role: 'admin', tenantId: tenant })).status).toBe(403);
  });

  it.each([
    [{ name: 'A' }, 'provider'],
    [{ provider: 'acme', name: 'A' }, 'provider'],
    [{ provider: 'vapi' }, 'name'],
    [{ provider: 'vapi', name: 'A', secret: 'short' }, 'secret'],
    [{ provider: 'retell', name: 'A' }, 'secret'],
    [{ provider: 'twilio', name: 'A', secret: null }, 'secret'],
    [{ provider: 'vapi', name: 'A', settings: { creates_leads: 'yes' } }, 'settings.creates_leads'],
    [{ provider: 'generic', name: 'A', secret: 'password' }, 'secret'],
    [{ provider: 'generic', name: 'A', secret: 'whsec_!!!!!!!!!!!!!!!!!!!!!!!!' }, 'secret'],
    [{ provider: 'generic', name: 'A', secret: 'whsec_MTIzNDU2Nzg5MDEyMzQ1' }, 'secret'],
    [{ provider: 'generic', name: 'A', secret: 'MTIzNDU2Nzg5MDEyMzQ1Ng==' }, 'secret'],
    [hmac({ payload: 'nothing' }), 'settings.vapi.payload'],
    [hmac({ payload: '{timestamp}.{body}' }), 'settings.vapi.timestamp_header'],
    [hmac({ signature_header: ' ' }), 'settings.vapi.signature_header'],
  ])('422: %j', async (body, field) => {
    const answer = await create(body);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
    expect((await calls.admin('GET', path)).body.data).toEqual([]);
  });

  it('404: for a tenant that there is not', async () => {
    calls.neighbours.forgetTenant(tenant);
    expect((await create({ provider: 'generic', name: 'A' })).status).toBe(404);
  });

  it('the same Idempotency-Key answers the same again, secret included', async () => {
    const headers = { 'idempotency-key': 'once' };
    const body = { provider: 'generic', name: 'A' };
    const [first, again] = [await create(body, headers), await create(body, headers)];
    expect(again.body).toEqual(first.body);
    expect(again.headers).toHaveProperty('idempotent-replayed', 'true');
    expect((await calls.admin('GET', path)).body.data).toHaveLength(1);
  });

  it('changes what is given, honours If-Match, and leaves the rest', async () => {
    const { data } = (await create({ provider: 'vapi', name: 'A' })).body;
    const single = `${path}/${data.id}`;
    const renamed = await calls.admin('PATCH', single, { name: 'B' });
    expect([renamed.headers.etag, renamed.body.data.name, renamed.body.data.is_active]).toEqual([
      '"2"',
      'B',
      true,
    ]);
    const stale = await calls.admin('PATCH', single, { name: 'C' }, { 'if-match': '"1"' });
    expect(stale.status).toBe(412);
    for (const nothing of [{}, { name: 'B', is_active: true, settings: data.settings }]) {
      const same = await calls.admin('PATCH', single, nothing);
      expect([same.status, same.headers.etag]).toEqual([200, '"2"']);
    }
    const useless = await calls.admin('PATCH', single, { settings: hmac({ payload: '' }).settings });
    expect([useless.status, Object.keys(useless.body.errors)]).toEqual([422, ['settings.vapi.payload']]);
    const set = await calls.admin('PATCH', single, { settings: { creates_leads: true } });
    expect(set.body.data).toMatchObject({ name: 'B', settings: { creates_leads: true } });
  });

  it('rotates: the new secret verifies, the one before doesn’t', async () => {
    const source = await calls.newSource(tenant);
    const before = genericMessage(genericCall(), source);
    const { data } = (await calls.admin('POST', `${path}/${source.id}/rotate`, {})).body;
    expect(data.secret).not.toBe(source.secret);
    expect(data.ingest_url).toBe(source.url);
    expect((await calls.ingest(source, before)).status).toBe(401);
    const after = genericMessage(genericCall(), { ...source, secret: data.secret });
    expect((await calls.ingest(source, after)).status).toBe(202);
    const weak = await calls.admin('POST', `${path}/${source.id}/rotate`, { secret: 'whsec_AAAA' });
    expect([weak.status, Object.keys(weak.body.errors)]).toEqual([422, ['secret']]);
    const retell = await calls.newSource(tenant, 'retell');
    expect((await calls.admin('POST', `${path}/${retell.id}/rotate`, {})).status).toBe(422);
    const given = await calls.admin('POST', `${path}/${retell.id}/rotate`, { secret: 'key_another' });
    expect(given.body.data.secret).toBe('key_another');
  });

  it('404: a deleted source is shown, changed, deleted and listed no more', async () => {
    const [kept, source] = [await calls.newSource(tenant), await calls.newSource(tenant)];
    const single = `${path}/${source.id}`;
    expect((await calls.admin('DELETE', single)).status).toBe(200);
    const answers = [
      await calls.admin('GET', single),
      await calls.admin('PATCH', single, { name: 'B' }),
      await calls.admin('POST', `${single}/rotate`, {}),
      await calls.admin('DELETE', single),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const { data } = (await calls.admin('GET', path)).body;
    expect(data.map(({ id }: { id: number }) => id)).toEqual([kept.id]);
  });

  it('shows when a message came in last', async () => {
    const source = await calls.newSource(tenant);
    await calls.ingest(source, genericMessage(genericCall(), source));
    const [{ received_at }] = await calls.messages(tenant);
    const { data } = (await calls.admin('GET', `${path}/${source.id}`)).body;
    expect(Date.parse(data.last_message_at)).toBeGreaterThanOrEqual(Date.parse(received_at));
  });

  it('of the provider generic number their calls each for itself', async () => {
    const [one, other] = [await calls.newSource(tenant), await calls.newSource(tenant)];
    const calling = (from_number: string) => genericCall({ provider_call_id: '1', from_number });
    await calls.ingest(one, genericMessage(calling('+493023125001'), one));
    await calls.ingest(other, genericMessage(calling('+493023125002'), other));
    await calls.ingest(other, genericMessage({ ...calling('+493023125002'), summary: 'More.' }, other));
    await calls.settled(tenant);
    const { data } = await calls.list(tenant);
    expect(data.map((call: { from_number: string }) => call.from_number).toSorted()).toEqual([
      '+493023125001',
      '+493023125002',
    ]);
  });

  it('reads what came in by a source that is deleted by then', async () => {
    const paused = await startCalls({ workers: [] });
    const id = paused.newTenant();
    const source = await paused.newSource(id);
    await paused.ingest(source, genericMessage(genericCall(), source));
    const deleted = await paused.admin('DELETE', `/internal/tenants/${id}/call-sources/${source.id}`);
    expect(deleted.body.data).toEqual({ id: source.id, deleted: true });
    const reader = await paused.startAnother(['message reader']);
    await paused.settled(id);
    expect((await paused.list(id)).data).toEqual([expect.objectContaining({ source: 'Phone of generic' })]);
    await reader.stop();
    await paused.stop();
  });
});
