import { eventually } from '../../../support/index.ts';
import { crm, startForEachTest, tenant } from '../each-test.ts';

startForEachTest();

describe('GET /api/v1/customers by number', () => {
  const LIST = '/api/v1/customers';
  const add = async (name: string, phone: string, fields: object = {}): Promise<number> => {
    const answer = await crm.api(tenant, 'POST', LIST, { name, phone, ...fields });
    expect(answer.status).toBe(201);
    return answer.body.data.id;
  };
  const list = async (query: string) => (await crm.api(tenant, 'GET', `${LIST}?${query}`)).body;
  const namesFor = async (query: string) => {
    const { data, meta } = await list(query);
    return [data.map(({ name }: { name: string }) => name).join(' '), meta.total];
  };

  it('200: phone finds the one whose number it is, however it is written, and nobody by a part of it', async () => {
    await add('Anna', '+49 30 9018205');
    await add('Bernd', '+49 30 90182051');
    await add('Chris', '+1 212 555 0199');
    for (const phone of [
      ...[
        '%2B49309018205',
        '+49309018205',
        '%2049309018205',
        '+49+30+9018205',
        '0309018205',
        '%28030%29%209018205',
      ],
      ...[
        '030/9018-205',
        '0049309018205',
        '%20%2B49309018205%20',
        '%E2%80%AA%2B49309018205%E2%80%AC',
        '+0309018205',
      ],
    ])
      expect([phone, ...(await namesFor(`phone=${phone}`))]).toEqual([phone, 'Anna', 1]);
    expect(await namesFor('phone=+12125550199')).toEqual(['Chris', 1]);
    expect(await namesFor('phone=%2B4930901820')).toEqual(['', 0]);
    expect(await namesFor('phone=%2B49309018206')).toEqual(['', 0]);
  });

  it('200: phone goes with every other filter, sort and place', async () => {
    await add('Anna', '030 9018205', { segment: 'vip', pipeline_stage: 'won' });
    await add('Bernd', '030 90182051', { segment: 'vip' });
    const phone = 'phone=0309018205';
    for (const query of ['segment=vip', 'pipeline_stage=won', 'search=anna', 'search=0309018205', 'search=n'])
      expect([query, ...(await namesFor(`${phone}&${query}`))]).toEqual([query, 'Anna', 1]);
    for (const query of ['segment=lead', 'pipeline_stage=x', 'search=bernd', 'search=90182051'])
      expect([query, ...(await namesFor(`${phone}&${query}`))]).toEqual([query, '', 0]);
    for (const sort of ['created_at', '-created_at', 'updated_at', '-updated_at'])
      expect(await namesFor(`${phone}&sort=${sort}&per_page=1`)).toEqual(['Anna', 1]);
    expect(await namesFor(`${phone}&page=2`)).toEqual(['', 1]);
    expect((await list(phone)).meta).toEqual({ page: 1, per_page: 20, total: 1 });
    await eventually(async () =>
      expect(await namesFor(`${phone}&updated_since=1970-01-01T00:00:00Z`)).toEqual(['Anna', 1]),
    );
    const { next_cursor } = (await list('per_page=1')).meta;
    expect((await list(`${phone}&cursor=${next_cursor}`)).code).toBe('invalid_cursor');
  });

  it('200: phone finds nobody of another business, whose country reads it in its own way', async () => {
    await add('Anna', '030 9018205');
    const other = crm.newTenant({ country: 'US' });
    const { body } = await crm.api(other, 'GET', `${LIST}?phone=%2B49309018205`);
    expect([body.data, body.meta.total]).toEqual([[], 0]);
  });

  it.each(['', '+', 'abc', '12', '%2B', '+49', '%00', 'a'.repeat(41), '1&phone=2'])(
    '422: phone=%s',
    async (phone) => {
      const answer = await crm.api(tenant, 'GET', `${LIST}?phone=${phone}`);
      expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed']);
      expect(Object.keys(answer.body.errors)).toEqual(['phone']);
    },
  );

  it('422: names a phone that is none beside everything else', async () => {
    const { errors } = await list('phone=abc&segment=gold&phoen=1');
    expect(Object.keys(errors).toSorted()).toEqual(['phoen', 'phone', 'segment']);
    expect(errors.phoen).toEqual(['The phoen parameter is unknown. Did you mean phone?']);
    const added = await crm.api(tenant, 'POST', LIST, { name: '', phone: 'abc', email: 'x' });
    expect(Object.keys(added.body.errors).toSorted()).toEqual(['email', 'name', 'phone']);
  });

  it('a search for a whole number serves the one whose number it is first, once, and all others in order', async () => {
    await add('Anna', '+49 30 9018205');
    await add('Bernd', '+49 30 90182051');
    await add('Chris', '030 90182052', { segment: 'vip' });
    await add('Dora', '030 90182053');
    const order = 'Anna Dora Chris Bernd';
    for (const search of ['+49309018205', '%2B49309018205', '0309018205', '030%209018205'])
      expect(await namesFor(`search=${search}`)).toEqual([order, 4]);
    expect(await namesFor('search=9018205')).toEqual(['Dora Chris Bernd Anna', 4]);
    expect(await namesFor('search=0309018205&sort=-created_at')).toEqual(['Dora Chris Bernd Anna', 4]);
    expect(await namesFor('search=0309018205&sort=created_at')).toEqual(['Anna Bernd Chris Dora', 4]);
    expect(await namesFor('search=0309018205&segment=vip')).toEqual(['Chris', 1]);
    for (const size of [1, 2, 3, 4]) {
      const byPage: string[] = [];
      const byCursor: string[] = [];
      let cursor = '';
      for (let page = 1; page <= Math.ceil(4 / size); page += 1) {
        const query = `search=+49309018205&per_page=${size}`;
        byPage.push((await namesFor(`${query}&page=${page}`))[0]);
        const { data, meta } = await list(`${query}${cursor}`);
        byCursor.push(...data.map(({ name }: { name: string }) => name));
        expect([meta.total, 'next_cursor' in meta]).toEqual([4, page * size < 4]);
        cursor = `&cursor=${meta.next_cursor}`;
      }
      expect(byPage.join(' ')).toBe(order);
      expect(byCursor.join(' ')).toBe(order);
      expect(await namesFor(`search=+49309018205&per_page=${size}&page=9`)).toEqual(['', 4]);
    }
  });
});
