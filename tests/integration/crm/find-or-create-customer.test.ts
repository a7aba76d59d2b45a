import { type CrmWorld, startCrm } from './crm-world.ts';

describe('POST /api/v1/customers?if_exists=return', () => {
  let crm: CrmWorld;
  let tenant: number;
  beforeAll(async () => {
    crm = await startCrm();
  });
  beforeEach(() => {
    tenant = crm.newTenant();
  });
  afterAll(() => crm.stop());

  const PATH = '/api/v1/customers';
  const anna = { name: 'Anna Weber', phone: '030 23125 123' };
  const create = (body: object, headers?: Record<string, string>) =>
    crm.api(tenant, 'POST', PATH, body, headers);
  const findOrCreate = (body: object, headers?: Record<string, string>) =>
    crm.api(tenant, 'POST', `${PATH}?if_exists=return`, body, headers);

  const emitted = async () => (await crm.events(tenant)).map(({ type }) => type);

  it('201: adds a customer whose number nobody has', async () => {
    const { status, headers, body } = await findOrCreate(anna);
    expect({ status, etag: headers.etag }).toEqual({ status: 201, etag: '"1"' });
    expect(body.data).toMatchObject(anna);
    expect(await emitted()).toEqual(['customer.created']);
  });

  it('200: returns whoever has the number, in whichever form, as they are and without an event', async () => {
    const made = await create(anna);
    const changed = await crm.api(tenant, 'PATCH', `${PATH}/${made.body.data.id}`, { segment: 'vip' });
    const found = await findOrCreate({ name: 'Another name', phone: '+49 (30) 23125-123', notes: 'x' });
    expect(found.status).toBe(200);
    expect(found.headers.etag).toBe('"2"');
    expect(found.body).toEqual(changed.body);
    expect(await emitted()).toEqual(['customer.created', 'customer.updated']);
  });

  it('201 once: of many at the same time one adds, the others get the same record', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => findOrCreate(anna)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array(7).fill(200),
      201,
    ]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await emitted()).toEqual(['customer.created']);
  });

  it('returns no customer of another tenant', async () => {
    const made = await create(anna);
    tenant = crm.newTenant();
    const found = await findOrCreate(anna);
    expect(found.status).toBe(201);
    expect(found.body.data.id).not.toBe(made.body.data.id);
  });

  it('an Idempotency-Key repeats the first answer, and is another request’s without if_exists', async () => {
    await create(anna);
    const key = { 'idempotency-key': 'find-anna' };
    const first = await findOrCreate(anna, key);
    await crm.api(tenant, 'PATCH', `${PATH}/${first.body.data.id}`, { segment: 'vip' });
    const again = await findOrCreate(anna, key);
    expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([
      200,
      'true',
      first.body,
    ]);
    const without = await create(anna, key);
    expect([without.status, without.body.code]).toEqual([422, 'validation_failed']);
    expect(Object.keys(without.body.errors)).toEqual(['Idempotency-Key']);
  });

  it('422: as before without it, and for any other value', async () => {
    await create(anna);
    expect((await create(anna)).body.errors).toEqual({ phone: ['The phone has already been taken.'] });
    const odd = await crm.api(tenant, 'POST', `${PATH}?if_exists=ignore`, anna);
    expect([odd.status, Object.keys(odd.body.errors)]).toEqual([422, ['if_exists']]);
  });
});
