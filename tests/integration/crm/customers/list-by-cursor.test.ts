import { eventually } from '../../../support/index.ts';
import { crm, startForEachTest, tenant } from '../each-test.ts';

startForEachTest();

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
    expect((await list({ sort: 'phone' })).errors).toEqual({
      sort: ['The sort field must be one of created_at, -created_at, updated_at, -updated_at, name, -name.'],
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
