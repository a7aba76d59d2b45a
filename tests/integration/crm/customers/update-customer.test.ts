import { systemSql } from '@frontdesk/database';
import { crm, startForEachTest, tenant } from '../each-test.ts';

const age = systemSql<never, { tenantId: number }>(
  'test_age_customers',
  `update customers set created_at = created_at - interval '1 day', updated_at = updated_at - interval '1 day' where tenant_id = $tenantId`,
);

describe('PATCH /api/v1/customers/{id}', () => {
  let id: number;
  startForEachTest();
  beforeEach(async () => {
    const body = { name: 'Anna Weber', phone: '030 23125 123', email: 'anna@example.com', notes: 'Tea' };
    id = (await crm.api(tenant, 'POST', '/api/v1/customers', body)).body.data.id;
  });

  const patch = (body: object, headers?: Record<string, string>) =>
    crm.api(tenant, 'PATCH', `/api/v1/customers/${id}`, body, headers);
  const view = async () => (await crm.api(tenant, 'GET', `/api/v1/customers/${id}`)).body.data;
  const types = async () => (await crm.events(tenant)).map(({ type }) => type);

  it('200: changes what is sent, keeps the rest, and emits customer.updated with the whole record', async () => {
    await crm.database.system.run(age, { tenantId: tenant });
    const before = await view();
    const answer = await patch({ segment: 'vip', pipeline_stage: 'won', name: 'Anna Köhler' });
    expect(answer.status).toBe(200);
    expect(answer.headers.etag).toMatch(/^"2-/);
    expect(answer.body).toEqual({
      success: true,
      data: {
        ...before,
        segment: 'vip',
        pipeline_stage: 'won',
        name: 'Anna Köhler',
        updated_at: expect.any(String),
      },
    });
    expect(answer.body.data.updated_at > before.updated_at).toBe(true);
    expect(await view()).toEqual(answer.body.data);
    expect((await crm.events(tenant)).at(-1)).toMatchObject({
      type: 'customer.updated',
      aggregate_id: id,
      aggregate_version: 2,
      data: answer.body.data,
    });
  });

  it('422: null says of a field that always has a value that it cannot be null, and of phone that it cannot change', async () => {
    const answer = await patch({ name: null, segment: null, phone: null });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({
      name: ['The name field cannot be null.'],
      segment: ['The segment field cannot be null.'],
      phone: ['The phone field cannot be changed.'],
    });
    expect((await patch({ phone: '030 23125 123' })).body.errors).toEqual({
      phone: ['The phone field cannot be changed.'],
    });
  });

  it('clears an optional field by null', async () => {
    const answer = await patch({ email: null, notes: null, pipeline_stage: null });
    expect(answer.body.data).toMatchObject({ email: null, notes: null, pipeline_stage: null });
  });

  it.each([
    ['an empty body', {}],
    ['only unknown fields', { colour: 'red', id: 5 }],
    ['what is there already', { name: 'Anna Weber', notes: 'Tea', segment: 'lead', pipeline_stage: null }],
  ])('200 without a change or an event: %s', async (_what, body) => {
    const before = await view();
    const answer = await patch(body);
    expect(answer.status).toBe(200);
    expect(answer.headers.etag).toMatch(/^"1-/);
    expect(answer.body.data).toEqual(before);
    expect(await types()).toEqual(['customer.created']);
  });

  it.each([
    [{ phone: '030 23125 124' }, 'phone', 'The phone field cannot be changed.'],
    [{ phone: '030 23125 123', name: 'B' }, 'phone', 'The phone field cannot be changed.'],
    [{ segment: 'gold' }, 'segment', 'The segment field must be one of lead, active, inactive, vip.'],
    [{ segment: null }, 'segment', 'The segment field cannot be null.'],
    [{ name: null }, 'name', 'The name field cannot be null.'],
    [{ name: '' }, 'name', 'The name field is required.'],
    [{ email: 'nope' }, 'email', 'The email field must be an e-mail address.'],
    [{ notes: 5 }, 'notes', 'The notes field must be a string.'],
  ])('422: %j', async (body, field, message) => {
    const before = await view();
    const answer = await patch(body);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      success: false,
      code: 'validation_failed',
      errors: { [field]: [message] },
    });
    expect(await view()).toEqual(before);
    expect(await types()).toEqual(['customer.created']);
  });

  it('422 on phone even where it is null', async () => {
    expect((await patch({ phone: null })).body.errors).toHaveProperty('phone');
  });

  it('412: If-Match with another version changes nothing; with the current one, or *, it passes', async () => {
    expect((await patch({ notes: 'A' }, { 'if-match': '"1"' })).status).toBe(200);
    const stale = await patch({ notes: 'B' }, { 'if-match': '"1"' });
    expect(stale.status).toBe(412);
    expect(stale.body.code).toBe('precondition_failed');
    expect((await view()).notes).toBe('A');
    expect((await patch({ notes: 'C' }, { 'if-match': '*' })).status).toBe(200);
    expect((await patch({}, { 'if-match': '"1"' })).status).toBe(412);
  });

  it('loses no change of 10 that arrive together, and numbers their events without a gap', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => patch({ notes: `Note ${n}` })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const events = await crm.events(tenant);
    expect(events.map(({ aggregate_version }) => aggregate_version)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ]);
    expect(events.at(-1)?.data).toEqual(await view());
    const times = events.map(({ data }) => data.updated_at);
    expect(times.every((time, index) => index === 0 || String(times[index - 1]) <= String(time))).toBe(true);
  });

  it('412: of 10 with the same If-Match one wins', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => patch({ notes: `Note ${n}` }, { 'if-match': '"1"' })),
    );
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array(9).fill(412)]);
  });
});
