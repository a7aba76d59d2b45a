import { customerListEntry } from '@frontdesk/contracts';
import { eventually } from '../../support/index.ts';
import { crm, startForEachTest, tenant } from './each-test.ts';

startForEachTest();

describe('GET /api/v1/customers', () => {
  let lastDigits = 100;
  const add = async (fields: object) => {
    lastDigits += 1;
    const body = { name: 'Somebody', phone: `030 23125 ${lastDigits}`, ...fields };
    const answer = await crm.api(tenant, 'POST', '/api/v1/customers', body);
    expect(answer.status).toBe(201);
    return answer.body.data;
  };
  const list = async (query: Record<string, string> = {}) =>
    crm.api(tenant, 'GET', `/api/v1/customers?${new URLSearchParams(query).toString()}`);
  const namesFor = async (query: Record<string, string>) => {
    const { status, body } = await list(query);
    expect(status).toBe(200);
    expect(body.meta.total).toBe(body.data.length);
    return body.data.map(({ name }: { name: string }) => name);
  };

  it('200: an empty list for a tenant without customers', async () => {
    expect((await list()).body).toEqual({
      success: true,
      data: [],
      meta: { page: 1, per_page: 20, total: 0 },
    });
  });

  it('200: newest first, without the aggregates of the single view', async () => {
    const first = await add({ name: 'First' });
    const second = await add({ name: 'Second' });
    const entry = (record: object) => customerListEntry.parse(record);
    expect((await list()).body).toEqual({
      success: true,
      data: [entry(second), entry(first)],
      meta: { page: 1, per_page: 20, total: 2 },
    });
  });

  it('pages through all, each once, and is empty past the end', async () => {
    for (const name of ['A', 'B', 'C', 'D', 'E']) await add({ name });
    const pages = await Promise.all(['1', '2', '3', '4'].map((page) => list({ page, per_page: '2' })));
    expect(pages.map(({ body }) => body.data.map(({ name }: { name: string }) => name).join(''))).toEqual([
      'ED',
      'CB',
      'A',
      '',
    ]);
    expect(pages.map(({ body: { meta } }) => ({ ...meta, next_cursor: 'next_cursor' in meta }))).toEqual(
      [1, 2, 3, 4].map((page) => ({ page, per_page: 2, total: 5, next_cursor: page < 3 })),
    );
  });

  it('takes a per_page above 100 as 100', async () => {
    expect((await list({ per_page: '5000' })).body.meta.per_page).toBe(100);
  });

  it.each([
    [{ page: '0' }, 'page'],
    [{ page: '1000001' }, 'page'],
    [{ page: 'one' }, 'page'],
    [{ per_page: '0' }, 'per_page'],
    [{ per_page: '1.5' }, 'per_page'],
    [{ segment: 'gold' }, 'segment'],
    [{ search: 'a\0' }, 'search'],
  ])('422: %j', async (query, field) => {
    const answer = await list(query as unknown as Record<string, string>);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ success: false, code: 'validation_failed' });
    expect(Object.keys(answer.body.errors)).toEqual([field]);
  });

  it('filters by segment and stage, alone and together, and counts what matches', async () => {
    await add({ name: 'A', segment: 'vip', pipeline_stage: 'won' });
    await add({ name: 'B', segment: 'vip', pipeline_stage: 'offer' });
    await add({ name: 'C', segment: 'lead', pipeline_stage: 'won' });
    await add({ name: 'D' });
    expect(await namesFor({ segment: 'vip' })).toEqual(['B', 'A']);
    expect(await namesFor({ pipeline_stage: 'won' })).toEqual(['C', 'A']);
    expect(await namesFor({ segment: 'vip', pipeline_stage: 'won' })).toEqual(['A']);
    expect(await namesFor({ segment: 'vip', pipeline_stage: 'won', search: 'a' })).toEqual(['A']);
    expect(await namesFor({ pipeline_stage: 'WON' })).toEqual([]);
    expect((await list({ segment: 'vip', per_page: '1' })).body.meta).toMatchObject({
      page: 1,
      per_page: 1,
      total: 2,
    });
  });

  it('searches any part of name or e-mail, whatever its case', async () => {
    await add({ name: 'Anna Weber', email: 'aw@example.com' });
    await add({ name: 'Johann Berger', email: 'weberei@example.org' });
    await add({ name: 'Zoë Ünlü' });
    expect(await namesFor({ search: 'WEBER' })).toEqual(['Johann Berger', 'Anna Weber']);
    expect(await namesFor({ search: 'ann' })).toEqual(['Johann Berger', 'Anna Weber']);
    expect(await namesFor({ search: 'example.ORG' })).toEqual(['Johann Berger']);
    expect(await namesFor({ search: 'a w' })).toEqual(['Anna Weber']);
    expect(await namesFor({ search: 'weber aw@' })).toEqual([]);
    expect(await namesFor({ search: 'nobody' })).toEqual([]);
  });

  it('finds a name with or without its accents, in either case', async () => {
    await add({ name: 'José Ärmel' });
    await add({ name: 'Jose Armel' });
    await add({ name: 'Łukasz Groß' });
    const both = ['Jose Armel', 'José Ärmel'];
    for (const search of ['josé', 'jose', 'ÄRMEL', 'jose\u0301']) {
      expect(await namesFor({ search })).toEqual(both);
    }
    for (const search of ['lukasz', 'GROSS', 'groß'])
      expect(await namesFor({ search })).toEqual(['Łukasz Groß']);
  });

  it('finds what is shorter than three characters, in every script', async () => {
    await add({ name: '王 娜', email: 'wang@example.com' });
    await add({ name: 'Xi Qu' });
    await add({ name: 'A. B.' });
    expect(await namesFor({ search: '王' })).toEqual(['王 娜']);
    expect(await namesFor({ search: 'q' })).toEqual(['Xi Qu']);
    expect(await namesFor({ search: 'x' })).toEqual(['Xi Qu', '王 娜']);
    expect(await namesFor({ search: '. b' })).toEqual(['A. B.']);
    expect(await namesFor({ search: '+1 5' })).toEqual([]);
  });

  it('takes %, _ and \\ as text', async () => {
    await add({ name: '100% Anna' });
    await add({ name: 'snake_case' });
    await add({ name: 'back\\slash' });
    await add({ name: 'plain' });
    expect(await namesFor({ search: '%' })).toEqual(['100% Anna']);
    expect(await namesFor({ search: '0% a' })).toEqual(['100% Anna']);
    expect(await namesFor({ search: '_' })).toEqual(['snake_case']);
    expect(await namesFor({ search: 'k\\s' })).toEqual(['back\\slash']);
    expect(await namesFor({ search: "' or 1=1 --" })).toEqual([]);
  });

  it('finds a phone number by any part of its digits, in each way to write it', async () => {
    await add({ name: 'National', phone: '(030) 23125-881' });
    await add({ name: 'International', phone: '+49 30 23125 882' });
    await add({ name: 'Name 23125', phone: '+1 212 555 0199' });
    for (const search of ['+49 30 23125 881', '030 23125-881', '25881', '(030) 23125/881']) {
      expect(await namesFor({ search })).toEqual(['National']);
    }
    for (const search of ['+493023125882', '030 23125 882', '25 882']) {
      expect(await namesFor({ search })).toEqual(['International']);
    }
    expect(await namesFor({ search: '23125' })).toEqual(['Name 23125', 'International', 'National']);
  });

  it('finds a changed name or e-mail, and no longer the former one', async () => {
    const { id } = await add({ name: 'Anna Weber', email: 'weber@example.com' });
    await crm.api(tenant, 'PATCH', `/api/v1/customers/${id}`, { name: 'Anna Köhler', email: null });
    expect(await namesFor({ search: 'weber' })).toEqual([]);
    expect(await namesFor({ search: 'köhler' })).toEqual(['Anna Köhler']);
  });

  it('excludes nobody by a blank search or stage', async () => {
    await add({ name: 'A' });
    expect(await namesFor({ search: ' ', pipeline_stage: '' })).toEqual(['A']);
  });
});

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

describe('GET /api/v1/customers by cursor', () => {
  const add = async (name: string, number: number): Promise<number> => {
    const body = { name, phone: `030 23125 ${number}` };
    return (await crm.api(tenant, 'POST', '/api/v1/customers', body)).body.data.id;
  };
  const addThree = async () => [await add('A', 101), await add('B', 102), await add('C', 103)] as const;
  const list = async (query: Record<string, string> = {}) =>
    (await crm.api(tenant, 'GET', `/api/v1/customers?${new URLSearchParams(query)}`)).body;
  const namesFor = async (query: Record<string, string>) =>
    (await list(query)).data.map(({ name }: { name: string }) => name).join('');
  const rename = (id: number, name: string) => crm.api(tenant, 'PATCH', `/api/v1/customers/${id}`, { name });

  it('sorts by creation or by the latest change, in either direction', async () => {
    const [first] = await addThree();
    await rename(first, 'a');
    expect(await namesFor({})).toBe('CBa');
    expect(await namesFor({ sort: '-created_at' })).toBe('CBa');
    expect(await namesFor({ sort: 'created_at' })).toBe('aBC');
    expect(await namesFor({ sort: 'updated_at' })).toBe('BCa');
    expect(await namesFor({ sort: '-updated_at' })).toBe('aCB');
    expect((await list({ sort: 'name' })).errors).toEqual({
      sort: ['The sort field must be one of created_at, -created_at, updated_at, -updated_at.'],
    });
  });

  it.each(['created_at', '-created_at', 'updated_at', '-updated_at'])(
    'is walked by cursor in the order of %s, also where searched',
    async (sort) => {
      await addThree();
      for (const query of [
        { sort },
        { sort, search: '23125' },
        { sort, search: '+4930 23125', segment: 'lead' },
      ]) {
        const whole = await namesFor(query);
        let walked = '';
        let cursor: string | undefined;
        do {
          const { data, meta } = await list({ ...query, per_page: '1', ...(cursor && { cursor }) });
          walked += data[0].name;
          expect(meta.total).toBe(3);
          cursor = meta.next_cursor;
        } while (cursor);
        expect(walked).toBe(whole);
      }
    },
  );

  it('422: a cursor of another sort or filter, or none at all', async () => {
    await addThree();
    const { next_cursor } = (await list({ per_page: '1' })).meta;
    const { next_cursor: found } = (await list({ per_page: '1', search: '030 23125' })).meta;
    for (const query of [
      { cursor: next_cursor, sort: 'updated_at' },
      { cursor: next_cursor, segment: 'lead' },
      { cursor: next_cursor, search: '030 23125' },
      { cursor: found },
      { cursor: found, search: '030 23126' },
      { cursor: 'x' },
    ]) {
      const { code, errors } = await list(query as Record<string, string>);
      expect([code, Object.keys(errors)]).toEqual(['invalid_cursor', ['cursor']]);
    }
  });

  it('goes on where the same filter is written in another way, or is none', async () => {
    await addThree();
    const { next_cursor } = (await list({ per_page: '1' })).meta;
    expect(await namesFor({ cursor: next_cursor, search: '', pipeline_stage: '' })).toBe('BA');
    const { next_cursor: found } = (await list({ per_page: '1', search: '030 23125' })).meta;
    expect(await namesFor({ cursor: found, search: ' 030 23125 ' })).toBe('BA');
  });

  it('updated_since serves new and changed customers in the order of the changes', async () => {
    const [first, second] = await addThree();
    await eventually(async () =>
      expect(await namesFor({ updated_since: '1970-01-01T00:00:00Z' })).toBe('ABC'),
    );
    const updated_since = (await rename(second, 'b')).body.data.updated_at;
    await rename(first, 'a');
    await add('D', 104);
    await eventually(async () => expect(await namesFor({ updated_since })).toBe('baD'));
    expect(await namesFor({ updated_since, sort: '-created_at' })).toBe('Dba');
    expect((await list({ updated_since, per_page: '2' })).meta).toEqual({
      page: 1,
      per_page: 2,
      total: 3,
      next_cursor: expect.any(String),
    });
  });
});
