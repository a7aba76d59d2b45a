import { Client } from 'pg';
import { LARGE_TENANT, loadCustomers } from '../../../bench/crm/customers-data.ts';
import { readingsOf } from '../../../bench/support/plans.ts';
import { type CrmWorld, startCrm } from './crm-world.ts';

const CUSTOMERS = 12_000;

describe('a list so long that searches are sampled', () => {
  let crm: CrmWorld;
  let client: Client;
  beforeAll(async () => {
    crm = await startCrm();
    client = new Client({ connectionString: crm.config.DATABASE_URL });
    await client.connect();
    await loadCustomers(client, CUSTOMERS);
  });
  afterAll(async () => {
    await client.end();
    await crm.stop();
  });

  const list = async (query: Record<string, string>) => {
    const path = `/api/v1/customers?${new URLSearchParams({ per_page: '100', ...query })}`;
    const answer = await crm.api(LARGE_TENANT, 'GET', path);
    expect(answer.status).toBe(200);
    return answer.body as {
      data: { id: number }[];
      meta: { total: number; total_is_estimate?: true; next_cursor?: string };
    };
  };
  const ids = ({ data }: { data: { id: number }[] }) => data.map(({ id }) => id);
  /** What the list should hold, worked out in another way. */
  const expected = async (term: string, { segment, sort = '-created_at' }: Record<string, string>) => {
    const [column, direction] = [sort.replace('-', ''), sort.startsWith('-') ? 'desc' : 'asc'];
    const order = column === 'updated_at' ? `updated_at ${direction}, id ${direction}` : `id ${direction}`;
    const { rows } = await client.query<{ id: string }>(
      `select id from customers where tenant_id = $1 and strpos(search_text, $2) > 0 and segment = coalesce($3, segment) order by ${order}`,
      [LARGE_TENANT, term, segment ?? null],
    );
    return rows.map(({ id }) => Number(id));
  };

  const searches: [string, Record<string, string>][] = [
    ['gmail', {}],
    ['wolf', {}],
    ['papadopoulos', {}],
    ['zeljko nowak', {}],
    ['an', {}],
    ['qq', {}],
    ['7919', {}],
    ['wolf', { sort: 'created_at' }],
    ['gmail', { sort: '-updated_at' }],
    ['papadopoulos', { sort: 'updated_at' }],
    ['wolf', { segment: 'vip' }],
    ['wolf', { segment: 'vip', sort: 'updated_at' }],
  ];

  it.each(searches)(
    'search=%s %j is whole by cursor and by page, and the total never ends it early',
    async (search, query) => {
      const all = await expected(search, query);
      const byCursor: number[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const page = await list({ ...query, search, ...(cursor && { cursor }) });
        byCursor.push(...ids(page));
        cursor = page.meta.next_cursor;
      }
      expect(byCursor).toEqual(all);

      const byPage: number[] = [];
      for (let number = 1, total = 1; byPage.length < total; number += 1) {
        const { data, meta } = await list({ ...query, search, page: String(number) });
        total = meta.total;
        if (!meta.total_is_estimate) expect(total).toBe(all.length);
        if (data.length === 0) break;
        byPage.push(...ids({ data }));
      }
      expect(byPage).toEqual(all);
    },
  );

  it('says where a total is an estimate, which is near', async () => {
    const { length } = await expected('gmail', {});
    const { meta } = await list({ search: 'gmail' });
    expect(meta.total_is_estimate).toBe(true);
    expect(Math.abs(meta.total - length)).toBeLessThan(length / 4);
    expect((await list({ search: 'zeljko nowak' })).meta).not.toHaveProperty('total_is_estimate');
    expect((await list({ segment: 'vip' })).meta).not.toHaveProperty('total_is_estimate');
  });

  it('pages past the end are empty, and their total is not beyond them', async () => {
    const { data, meta } = await list({ search: 'gmail', page: '500' });
    expect(data).toEqual([]);
    expect(meta.total).toBeLessThanOrEqual(49_900);
  });

  it('an index stands behind everything that is read of customers', async () => {
    const queries = [...searches.map(([search, query]) => ({ ...query, search })), {}, { segment: 'vip' }];
    const work = async () => {
      for (const query of queries) await list(query as Record<string, string>);
    };
    for (const [name, value] of [
      ['enable_seqscan', 'off'],
      ['jit', 'off'],
    ])
      await client.query(`set ${name} = ${value}`);
    const readings = await readingsOf(client, 'customers', work);
    expect(readings.filter(({ index }) => index === null)).toEqual([]);
    expect(new Set(readings.map(({ index }) => index))).toContain('customers_by_search_grams');
  });
});
