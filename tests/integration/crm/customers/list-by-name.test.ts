import { eventually } from '../../../support/index.ts';
import { crm, startForEachTest, tenant } from '../each-test.ts';

startForEachTest();

describe('GET /api/v1/customers?sort=name', () => {
  let lastDigits = 100;
  const add = async (name: string, fields: object = {}): Promise<number> => {
    lastDigits += 1;
    const body = { name, phone: `030 23126 ${lastDigits}`, ...fields };
    return (await crm.api(tenant, 'POST', '/api/v1/customers', body)).body.data.id;
  };
  const list = async (query: Record<string, string>) =>
    crm.api(tenant, 'GET', `/api/v1/customers?${new URLSearchParams({ sort: 'name', ...query })}`);
  type Entry = { id: number; name: string };
  const walk = async (query: Record<string, string>, between?: () => Promise<void>): Promise<Entry[]> => {
    const walked: Entry[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { status, body } = await list({ per_page: '1', ...query, ...(cursor && { cursor }) });
      expect([status, body.data.length]).toEqual([200, 1]);
      walked.push(...body.data);
      cursor = body.meta.next_cursor;
      await between?.();
    }
    return walked;
  };

  const LONG = 'Żaneta '.repeat(20).trim();
  const IN_ORDER = [
    ...[
      "'t Hooft",
      ' 12 Months',
      'Ähre',
      'Ana',
      'ana',
      'Anders',
      'Ärger',
      'Ásta',
      'Łucja',
      'Özil',
      'Straße 1',
    ],
    ...['Strasse 2', LONG, 'zoe', 'Ελένη', 'Иван', 'אברהם', 'محمد', '王小明', '김민수'],
  ];

  it('200: by name without case and accents, other scripts after them, equal names by id, in both directions', async () => {
    // Those with equal names in the order of their ids.
    const added = IN_ORDER.toReversed().toSorted((a, b) => Number(a === 'ana') - Number(b === 'ana'));
    for (const name of added) await add(name);
    const ordered = (await list({ per_page: '100' })).body.data as Entry[];
    expect(ordered.map(({ name }) => name)).toEqual(IN_ORDER);
    const backwards = (await list({ per_page: '100', sort: '-name' })).body.data as Entry[];
    expect(backwards.toReversed()).toEqual(ordered);
    expect(await walk({})).toEqual(ordered);
    expect(await walk({ sort: '-name' })).toEqual(backwards);
    const pages = await Promise.all(['1', '2', '3'].map((page) => list({ page, per_page: '9' })));
    expect(pages.flatMap(({ body }) => body.data)).toEqual(ordered);
    expect(pages.map(({ body }) => body.meta.total)).toEqual([20, 20, 20]);
  });

  it('walks on where the customer of the cursor gets another name, and with filters', async () => {
    for (const name of ['Eva', 'Ben', 'Ada', 'Cleo', 'Dora', 'Fay'])
      await add(name, { segment: name === 'Fay' ? 'lead' : 'vip', pipeline_stage: 'new' });
    const filters: Record<string, string>[] = [
      { segment: 'vip' },
      { segment: 'vip', pipeline_stage: 'new' },
      { segment: 'vip', search: '030' },
      { segment: 'vip', updated_since: '1970-01-01T00:00:00Z' },
    ];
    for (const filter of filters)
      await eventually(async () => {
        expect((await walk(filter)).map(({ name }) => name)).toEqual(['Ada', 'Ben', 'Cleo', 'Dora', 'Eva']);
      });

    const first = (await list({ per_page: '2' })).body;
    await crm.api(tenant, 'PATCH', `/api/v1/customers/${first.data[1].id}`, { name: 'Zoe' });
    const { body } = await list({ per_page: '2', cursor: first.meta.next_cursor });
    expect(body.data.map(({ name }: Entry) => name)).toEqual(['Cleo', 'Dora']);
  });

  it('200: a cursor holds the longest name, whatever it is made of', async () => {
    for (const name of ['\u0958'.repeat(200), '王'.repeat(200), 'ß'.repeat(200), '🌸'.repeat(100)]) {
      await add(name);
      await add(name);
    }
    expect(await walk({})).toEqual((await list({})).body.data);
  });

  it('422 invalid_cursor: of another sort, list or business, and none of the form of 0.1.0', async () => {
    for (const name of ['Ada', 'Ben']) await add(name);
    const { next_cursor: byName } = (await list({ per_page: '1' })).body.meta;
    const { next_cursor: byId } = (await list({ per_page: '1', sort: 'created_at' })).body.meta;
    const refused = async (query: Record<string, string>) => {
      const { status, body } = await list(query);
      expect([status, body.code]).toEqual([422, 'invalid_cursor']);
    };
    await refused({ cursor: byName, sort: '-name' });
    await refused({ cursor: byName, sort: 'created_at' });
    await refused({ cursor: byName, segment: 'vip' });
    await refused({ cursor: byId });
    await refused({ cursor: `${byName}A` });
    for (const old of [
      ['name', 5, 7],
      ['name', 'a', 7],
    ])
      await refused({ cursor: Buffer.from(JSON.stringify(old)).toString('base64url') });
    const path = `/api/v1/customers?sort=name&cursor=${byName}`;
    expect((await crm.api(crm.newTenant(), 'GET', path)).body.code).toBe('invalid_cursor');
  });
});
