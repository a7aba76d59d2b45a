import { visitOf } from '../../../../services/crm/src/visits/visit.rules.ts';
import { takeInVisits } from '../../../../services/crm/src/visits/visits.consumer.ts';
import { appointmentEvent } from '../appointment-event.ts';
import { crm, startForEachTest, tenant } from '../each-test.ts';

describe('the ETag of a customer', () => {
  let path: string;
  let id: number;
  startForEachTest();
  beforeEach(async () => {
    id = (await create({ phone: '030 23125 123' })).body.data.id;
    path = `/api/v1/customers/${id}`;
  });

  const create = (fields: object, headers?: Record<string, string>, query = '') =>
    crm.api(tenant, 'POST', `/api/v1/customers${query}`, { name: 'Anna Weber', ...fields }, headers);
  const get = () => crm.api(tenant, 'GET', path);
  const tagOf = async (request: ReturnType<typeof get> = get()) => String((await request).headers.etag);
  const patch = (body: object, ifMatch?: string) =>
    crm.api(tenant, 'PATCH', path, body, ifMatch === undefined ? {} : { 'if-match': ifMatch });
  const complete = (version: number, price = 20) => {
    const visit = { id: 1, status: 'completed', price, date: '2026-03-02' } as const;
    const event = appointmentEvent({ tenant_id: tenant, customer_id: id, version, ...visit });
    return takeInVisits(crm.database, [visitOf(event)]);
  };

  it('is another one once appointments add up to something else, and then stays', async () => {
    const before = await tagOf();
    await complete(1);
    const after = await tagOf();
    expect(after).not.toBe(before);
    await complete(1);
    expect(await tagOf()).toBe(after);
    await complete(2, 30);
    expect(new Set([before, after, await tagOf()]).size).toBe(3);
  });

  it('is strong, and the same on every answer that shows the customer so', async () => {
    const created = await create({ phone: '030 23125 124' }, { 'idempotency-key': 'tags' });
    path = `/api/v1/customers/${created.body.data.id}`;
    const tag = await tagOf();
    expect(tag).toMatch(/^"[!#-~]+"$/);
    expect(await tagOf(create({ phone: '030 23125 124' }, {}, '?if_exists=return'))).toBe(tag);
    expect(await tagOf(patch({}))).toBe(tag);
    expect(created.headers.etag).toBe(tag);

    const changed = await patch({ notes: 'Tea' });
    expect([changed.headers.etag, changed.headers.etag === tag]).toEqual([await tagOf(), false]);
    const replayed = await create({ phone: '030 23125 124' }, { 'idempotency-key': 'tags' });
    expect(replayed.headers).toMatchObject({ 'idempotent-replayed': 'true', etag: tag });
  });

  it('as If-Match allows a change after other appointments, whatever it has become on its way', async () => {
    const tag = await tagOf();
    const digest = tag.slice(1, -1);
    const forms = [tag, `W/${tag}`, '"1"', 'W/"1"', `"0-a,b", ${tag}`, `"${digest}-gzip"`, '*'];
    for (const [index, form] of forms.entries()) {
      await complete(index + 1, index);
      expect([form, (await patch({}, form)).status]).toEqual([form, 200]);
    }
    expect((await patch({ notes: 'Tea' }, tag)).status).toBe(200);
  });

  it('412 with the present ETag for another version, and for what is no list of tags', async () => {
    await complete(1);
    const tag = await tagOf();
    const digest = tag.slice(1, -1);
    for (const form of [
      '"2"',
      digest,
      '1',
      '',
      '"',
      `"${digest}`,
      '"0-a,1-b"',
      `${tag} x`,
      'W/1',
      '\u00ff',
    ]) {
      const { status, headers, body } = await patch({ notes: 'Tea' }, form);
      expect([form, status, body.code, headers.etag]).toEqual([form, 412, 'precondition_failed', tag]);
    }
    expect((await get()).body.data.notes).toBeNull();
  });

  it('of before an edit allows no other one', async () => {
    const tag = await tagOf();
    await patch({ notes: 'Tea' }, tag);
    await complete(1);
    const { status, headers } = await patch({ notes: 'Milk' }, tag);
    expect([status, headers.etag]).toEqual([412, await tagOf()]);
  });
});
