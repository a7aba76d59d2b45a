import { crm, startForEachTest, tenant } from '../each-test.ts';

describe('POST /api/v1/customers', () => {
  startForEachTest();
  afterEach(() => jest.restoreAllMocks());

  const create = (body: object, headers?: Record<string, string>) =>
    crm.api(tenant, 'POST', '/api/v1/customers', body, headers);

  it('201: answers the single view, with defaults for what was left out', async () => {
    const answer = await create({ name: 'Anna Weber', phone: '030 23125 123' });
    expect(answer.status).toBe(201);
    expect(answer.headers.etag).toMatch(/^"1-/);
    expect(answer.body).toEqual({
      success: true,
      data: {
        id: expect.any(Number),
        name: 'Anna Weber',
        phone: '030 23125 123',
        email: null,
        segment: 'lead',
        pipeline_stage: null,
        notes: null,
        source: 'api',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: answer.body.data.created_at,
        total_appointments: 0,
        total_spent: 0,
        currency: 'EUR',
        last_visit_date: null,
      },
    });
  });

  it('201: keeps every field as it was sent and ignores unknown ones', async () => {
    const sent = {
      name: 'Ayşe “Zoë” Yılmaz 🌸',
      phone: ' +49 (30) 23125-124 ',
      email: 'Zoe@Example.com',
      segment: 'vip',
      pipeline_stage: 'Angebot verschickt',
      notes: 'Zeile 1\nZeile 2',
      source: 'walk_in',
    };
    const answer = await create({ ...sent, id: 7, total_spent: 99, tenant_id: 1 });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({ ...sent, total_spent: 0 });
    expect((await crm.api(tenant, 'GET', '/api/v1/customers')).body.data).toHaveLength(1);
  });

  it('201: keeps an international e-mail address as it was sent, and a search finds it', async () => {
    const addresses = ['jö@exämple.de', '用户@例子.广告', 'Zoë@Straße.example'];
    for (const [nth, email] of addresses.entries()) {
      const answer = await create({ name: 'Anna', phone: `030 23125 20${nth}`, email });
      expect([answer.status, answer.body.data?.email]).toEqual([201, email]);
      for (const search of [email, email.toUpperCase(), email.split('@')[1] as string]) {
        const path = `/api/v1/customers?search=${encodeURIComponent(search)}`;
        expect((await crm.api(tenant, 'GET', path)).body.data).toEqual([expect.objectContaining({ email })]);
      }
    }
    for (const email of ['jö@', '@exämple.de', 'jö@exämple', 'j ö@exämple.de', 'jö@exämple..de'])
      expect((await create({ name: 'Anna', phone: '030 23125 209', email })).body.errors).toEqual({
        email: ['The email field must be an e-mail address.'],
      });
  });

  it('422: an Idempotency-Key with the same body and another query', async () => {
    const body = { name: 'Anna', phone: '030 23125 210' };
    const send = (query: string, key: string) =>
      crm.api(tenant, 'POST', `/api/v1/customers${query}`, body, { 'idempotency-key': key });
    for (const [first, second] of [
      ['', '?if_exists=return'],
      ['?if_exists=return', ''],
    ] as const) {
      const key = `query ${first}`.replaceAll(' ', '-');
      const made = await send(first, key);
      const other = await send(second, key);
      expect([other.status, Object.keys(other.body.errors)]).toEqual([422, ['Idempotency-Key']]);
      expect((await send(`${first || '?'}&api_key=x`, key)).body).toEqual(made.body);
    }
  });

  it('takes null for a field that is optional', async () => {
    const nothing = { email: null, segment: null, pipeline_stage: null, notes: null, source: null };
    const answer = await create({ name: 'Anna', phone: '030 23125 125', ...nothing });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({ email: null, segment: 'lead', source: 'api' });
  });

  it.each([
    [{}, { name: ['The name field is required.'], phone: ['The phone field is required.'] }],
    [{ name: null }, { name: ['The name field is required.'] }],
    [{ name: ' ' }, { name: ['The name field is required.'] }],
    [{ name: 5 }, { name: ['The name field must be a string.'] }],
    [{ name: 'a'.repeat(201) }, { name: ['The name field must be at most 200 characters.'] }],
    [{ name: 'a\0b' }, { name: ['The name field must not contain NUL characters.'] }],
    [{ phone: 'call me' }, { phone: ['The phone field must be a phone number.'] }],
    [{ phone: '12345' }, { phone: ['The phone field must be a phone number.'] }],
    [{ phone: 4930 }, { phone: ['The phone field must be a string.'] }],
    [{ phone: '' }, { phone: ['The phone field is required.'] }],
    [{ email: 'anna@' }, { email: ['The email field must be an e-mail address.'] }],
    [{ segment: 'gold' }, { segment: ['The segment field must be one of lead, active, inactive, vip.'] }],
    [
      { pipeline_stage: 'x'.repeat(65) },
      { pipeline_stage: ['The pipeline_stage field must be at most 64 characters.'] },
    ],
    [{ notes: ['a'] }, { notes: ['The notes field must be a string.'] }],
    [{ source: true }, { source: ['The source field must be a string.'] }],
  ])('422: %j', async (wrong, errors) => {
    const right = Object.keys(wrong).length > 0 ? { name: 'Anna', phone: '030 23125 126' } : {};
    const answer = await create({ ...right, ...wrong });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      success: false,
      code: 'validation_failed',
      message: expect.any(String),
      request_id: expect.any(String),
      errors,
    });
    expect(await crm.events(tenant)).toEqual([]);
  });

  it('422: the same number in another form is taken, and leaves no trace', async () => {
    expect((await create({ name: 'Anna', phone: '030 23125 123' })).status).toBe(201);
    for (const phone of [
      '+49 30 23125123',
      '0049 (30) 23125-123',
      '030/23125123',
      '+49 30 23125123 ext. 4',
    ]) {
      const answer = await create({ name: 'Bernd', phone });
      expect(answer.status).toBe(422);
      expect(answer.body.errors).toEqual({ phone: ['The phone has already been taken.'] });
    }
    const list = await crm.api(tenant, 'GET', '/api/v1/customers');
    expect(list.body.meta.total).toBe(1);
    expect(await crm.events(tenant)).toHaveLength(1);
  });

  describe('the reasons of a refusal', () => {
    const admin = { issuer: 'settings-ui', role: 'admin' } as const;
    const createInside = (body: object, headers: Record<string, string> = {}) =>
      crm.send(
        'internal',
        { ...admin, tenantId: tenant },
        {
          method: 'POST',
          url: `/internal/tenants/${tenant}/customers`,
          body,
          headers,
        },
      );

    it('are answered on the internal port, beside the sentences that integrators get alone', async () => {
      const { body: holder } = await create({ name: 'Anna', phone: '030 23125 140' });
      const customer = { id: holder.data.id, name: 'Anna' };
      for (const [body, reasons] of [
        [{ phone: '030 23125 140' }, { name: [{ reason: 'required' }] }],
        [
          { name: 'Bernd', phone: '12', segment: 'gold' },
          { phone: [{ reason: 'not_phone_number', country: 'DE' }], segment: [{ reason: 'not_a_choice' }] },
        ],
        [{ name: 'Bernd', phone: '030/23125140' }, { phone: [{ reason: 'phone_taken', customer }] }],
      ] as const) {
        const [outside, inside] = [await create(body), await createInside(body)];
        expect([outside.status, inside.status]).toEqual([422, 422]);
        const { request_id: _id, ...said } = outside.body;
        expect(Object.keys(said).sort()).toEqual(['code', 'errors', 'message', 'success']);
        expect(inside.body).toEqual({ ...said, request_id: expect.any(String), reasons });
      }
    });

    it('name the tenant’s own customer alone', async () => {
      const other = crm.newTenant();
      const add = { name: 'Of the other', phone: '030 23125 141' };
      expect((await crm.api(other, 'POST', '/api/v1/customers', add)).status).toBe(201);
      expect((await createInside({ name: 'Bernd', phone: '030 23125 141' })).status).toBe(201);
    });

    it('are kept with the answer to an Idempotency-Key', async () => {
      await create({ name: 'Anna', phone: '030 23125 142' });
      const body = { name: 'Bernd', phone: '030 23125 142' };
      const [first, again] = [
        await createInside(body, { 'idempotency-key': 'taken' }),
        await createInside(body, { 'idempotency-key': 'taken' }),
      ];
      expect(again.headers).toHaveProperty('idempotent-replayed', 'true');
      expect([first.status, again.body.reasons]).toEqual([422, first.body.reasons]);
      expect(again.body.reasons.phone).toEqual([expect.objectContaining({ reason: 'phone_taken' })]);
    });
  });

  it('reads a national number by the country of the tenant', async () => {
    const american = crm.newTenant({ country: 'US', currency: 'USD', timezone: 'America/New_York' });
    const add = (body: object) => crm.api(american, 'POST', '/api/v1/customers', body);
    expect((await add({ name: 'Ann', phone: '(212) 555-0123' })).body.data.currency).toBe('USD');
    expect((await add({ name: 'Bob', phone: '+1 212 555 0123' })).body.errors).toHaveProperty('phone');
    expect((await create({ name: 'Carla', phone: '+1 212 555 0123' })).status).toBe(201);
  });

  it('201 once: of 20 racing creations of one number one wins and 19 answer 422', async () => {
    const forms = ['030 23125 127', '+49 30 23125127', '0049 30 23125127', '(030) 23125-127'];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => create({ name: `Racer ${n}`, phone: forms[n % forms.length] })),
    );
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array(19).fill(422)]);
    for (const { status, body } of answers)
      if (status === 422) expect(Object.keys(body.errors)).toEqual(['phone']);
    expect(await crm.events(tenant)).toHaveLength(1);
    expect((await crm.api(tenant, 'GET', '/api/v1/customers')).body.meta.total).toBe(1);
  });

  it('replays the first answer to the same Idempotency-Key, whatever it was', async () => {
    const body = { name: 'Anna', phone: '030 23125 128' };
    const first = await create(body, { 'idempotency-key': 'a-1' });
    const again = await create(body, { 'idempotency-key': 'a-1' });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true', etag: first.headers.etag });
    expect(first.headers).not.toHaveProperty('idempotent-replayed');

    const taken = await create({ ...body, name: 'Other' }, { 'idempotency-key': 'a-2' });
    const takenAgain = await create({ ...body, name: 'Other' }, { 'idempotency-key': 'a-2' });
    expect([taken.status, takenAgain.status]).toEqual([422, 422]);
    expect(takenAgain.body.errors).toEqual({ phone: ['The phone has already been taken.'] });
    expect(takenAgain.headers).toHaveProperty('idempotent-replayed', 'true');

    const misused = await create({ ...body, name: 'Third' }, { 'idempotency-key': 'a-1' });
    expect(misused.status).toBe(422);
    expect(await crm.events(tenant)).toHaveLength(1);
  });

  it('creates one customer for duplicate requests with one Idempotency-Key', async () => {
    // None of them waits for too long, however long that takes.
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const body = { name: 'Twin', phone: '030 23125 129' };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => create(body, { 'idempotency-key': 't-1' })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => answer.body.data.id)).size).toBe(1);
    expect(await crm.events(tenant)).toHaveLength(1);
  });

  it('emits customer.created with the record as the single view shows it', async () => {
    const { body } = await create({ name: 'Anna', phone: '030 23125 130' });
    expect(await crm.events(tenant)).toEqual([
      {
        event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        type: 'customer.created',
        schema_version: 1,
        tenant_id: tenant,
        aggregate_id: body.data.id,
        aggregate_version: 1,
        occurred_at: expect.any(String),
        data: body.data,
      },
    ]);
    const view = await crm.api(tenant, 'GET', `/api/v1/customers/${body.data.id}`);
    expect(view.body.data).toEqual(body.data);
  });
});
