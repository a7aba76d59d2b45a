import { crm, startForEachTest, tenant } from '../each-test.ts';

startForEachTest();

describe('customers with similar names', () => {
  let lastDigits = 100;
  const add = async (name: string, fields: object = {}, of = tenant) => {
    lastDigits += 1;
    const body = { name, phone: `030 23125 ${lastDigits}`, ...fields };
    const answer = await crm.api(of, 'POST', '/api/v1/customers', body);
    expect(answer.status).toBe(201);
  };
  const ask = (query: Record<string, string>, of = tenant) => {
    const url = `/internal/tenants/${of}/customers/similar?${new URLSearchParams(query)}`;
    return crm.send(
      'internal',
      { issuer: 'settings-ui', role: 'admin', tenantId: of },
      { method: 'GET', url },
    );
  };
  const namesLike = async (search: string, also: Record<string, string> = {}) => {
    const { status, body } = await ask({ search, ...also });
    expect([search, status]).toEqual([search, 200]);
    return body.data.map(({ name }: { name: string }) => name);
  };

  it.each([
    ['siobahn', 'Siobhán Murphy'],
    ['Siobahn Murhpy', 'Siobhán Murphy'],
    ['murphy siobhan', 'Siobhán Murphy'],
    ['McDonld', 'Ronald McDonald'],
    ['mc donald', 'Ronald McDonald'],
    ['ronlad macdonald', 'Ronald McDonald'],
    ['Schimdt', 'Petra Schmidt'],
    ['schnidt', 'Petra Schmidt'],
    ['Mueller', 'Jörg Müller'],
    ['jrög', 'Jörg Müller'],
    ['mayer', 'Eva Meyer'],
    ['maryann', 'Mary Ann O’Neill'],
    ['oneill', 'Mary Ann O’Neill'],
    ['Papadopuolos', 'Νίκος Papadopoulos'],
    ['Νίοκς', 'Νίκος Papadopoulos'],
    ['Иванвоа', 'Ольга Иванова'],
    ['אברהמ כהן', 'אברהם כהן'],
    ['محمذ الفارسي', 'محمد الفارسي'],
    ['欧阳娜娜子', '欧阳娜娜'],
  ])('%s may mean %s, who is not found by it', async (typed, name) => {
    for (const other of ['Anna Weber', 'Hans Maier', 'Simon Hahn', 'Ali', '王小明']) await add(other);
    await add(name);
    expect(await namesLike(typed)).toEqual([name]);
    const search = `/api/v1/customers?${new URLSearchParams({ search: typed })}`;
    expect((await crm.api(tenant, 'GET', search)).body).toMatchObject({ data: [], meta: { total: 0 } });
  });

  it('are those with the fewest errors first, without those whom the search finds', async () => {
    for (const name of ['Michaela Roth', 'Michael Roth', 'Michel Roth', 'Mischa Roth', 'Micheal Roth'])
      await add(name);
    await add('Michaele Rothe');
    const names = await namesLike('micheal roth');
    expect(names.toSorted()).toEqual(['Michael Roth', 'Michaela Roth', 'Michaele Rothe', 'Michel Roth']);
    // A swapped pair of letters is likelier than a letter too many.
    expect(names[0]).toBe('Michael Roth');
    expect(names).not.toContain('Mischa Roth');
  });

  it('pass the filters of the list, and are at most ten', async () => {
    for (let count = 0; count < 12; count += 1) await add(`Siobhán ${'abcdefghijkl'[count]}`);
    await add('Siobhán Vip', { segment: 'vip', pipeline_stage: 'Trial' });
    expect(await namesLike('siobahn')).toHaveLength(10);
    expect(await namesLike('siobahn', { segment: 'vip' })).toEqual(['Siobhán Vip']);
    expect(await namesLike('siobahn', { segment: 'vip', pipeline_stage: 'Trial' })).toEqual(['Siobhán Vip']);
    expect(await namesLike('siobahn', { pipeline_stage: 'Won' })).toEqual([]);
    expect((await ask({ search: 'siobahn', segment: 'gold' })).status).toBe(422);
  });

  it.each([
    ...['s', 'si', 'sio', '', ' ', '%', '%%%%', '____', '\\\\\\\\', "'; drop"],
    ...['030 23125 999', '+49 30 2312599', '23125999', '2021', '%iobahn%', 'siobahn2', 'siobahn@example.com'],
    ...[
      'x'.repeat(200),
      'siobahn '.repeat(25),
      'a b c d e f g',
      '🌸🌸🌸🌸🌸',
      '王小朋',
      '\u0301\u0301\u0301\u0301',
    ],
  ])('are none for %j', async (search) => {
    await add('Siobhán Murphy', { email: 'siobhan@example.com', phone: '030 23125 998' });
    await add('王小明', { phone: '030 2312 5997' });
    expect(await namesLike(search)).toEqual([]);
  });

  it.each(['%siobahn%', 'siob_hn', '\\siobahn\\', "'siobahn'); --"])(
    'signs in %j are no wildcards',
    async (typed) => {
      for (const name of ['Siobhán Murphy', 'Anna Weber']) await add(name);
      expect(await namesLike(typed)).toEqual(['Siobhán Murphy']);
    },
  );

  it('are found by the name alone, not by email or number', async () => {
    await add('Eva Roth', { email: 'siobhan@example.com' });
    expect(await namesLike('siobahn')).toEqual([]);
  });

  it('are never of another business', async () => {
    const other = crm.newTenant();
    await add('Siobhán Murphy', {}, other);
    expect(await namesLike('siobahn')).toEqual([]);
    expect((await ask({ search: 'siobahn' }, other)).body.data).toHaveLength(1);
    const url = `/internal/tenants/${other}/customers/similar?search=siobahn`;
    const foreign = { issuer: 'settings-ui', role: 'admin', tenantId: tenant } as const;
    expect((await crm.send('internal', foreign, { method: 'GET', url })).status).toBe(404);
  });

  it('422: without a search, or with one that is none', async () => {
    expect((await ask({})).status).toBe(422);
    expect((await ask({ search: 'a\0' })).status).toBe(422);
    expect((await ask({ search: 'a'.repeat(201) })).status).toBe(422);
  });

  it('are no part of API v1', async () => {
    await add('Siobhán Murphy');
    const api = (path: string) => crm.api(tenant, 'GET', `/api/v1/customers${path}`);
    expect((await api('/similar?search=siobahn')).status).toBe(404);
    expect((await api('?search=siobahn')).body.data).toEqual([]);
  });
});
